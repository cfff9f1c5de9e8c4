/**
 * Python with which a script of a build refuses: what it raises is written where the build looks for it. It stands behind the
 * script's own imports; the script defines `TASK` and `build`.
 */
export const scriptRefusal = `class Refused(Exception):
    def __init__(self, reason, message, hint=None):
        super().__init__(message)
        self.problem = {"reason": reason, "message": message, **({"hint": hint} if hint else {})}


def main():
    try:
        build()
    except Refused as refused:
        pathlib.Path(TASK["problem"]).write_text(json.dumps(refused.problem))
        sys.exit(f"ERROR: {refused}")


`;
