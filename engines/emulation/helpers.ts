import { scriptRefusal } from "../script-refusal";

/**
 * Python that scripts share which make an emulation: the rows to try it on, its answers, its project as a zip, and how they
 * refuse. It stands behind a script's own imports; the script defines `TASK`, `FOLDER`, where the project lies, and `build`.
 */
export const emulationHelpers = `${scriptRefusal}def read_rows():
    """Each input of all rows."""
    return [
        numpy.frombuffer(base64.b64decode(row["data"]), "<f4").reshape(row["shape"])
        for row in json.loads(pathlib.Path(TASK["rows"]).read_text())
    ]


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def pack_project():
    paths = [path for path in sorted(FOLDER.rglob("*")) if path.is_file()]
    mode = lambda path: 0o755 if os.access(path, os.X_OK) else 0o644
    write_zip(TASK["project"], {str(path.relative_to(FOLDER)): (path.read_bytes(), mode(path)) for path in paths})


def write_zip(target, files):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            archive.writestr(entry, content)


def link(*arguments):
    linked = subprocess.run(["g++", *arguments], stderr=subprocess.PIPE, text=True, errors="replace")
    if linked.returncode == 0:
        return
    print(linked.stderr, flush=True)
    message = f"g++ cannot link the emulation: {first_line(linked.stderr)}"
    raise Refused("TOOL_FAILED", message, "The static libraries of C and C++ must be there: apt-get install g++.")


def refuse_source(errors, tool):
    print(errors, flush=True)
    first = next((line for line in errors.splitlines() if "error:" in line), "it says no more")
    message = f"g++ does not compile what {tool} wrote: {first[:300]}"
    raise Refused("TOOL_FAILED", message, "The log shows each error with its line of the project.")


def write_answers(path, answers, sizes):
    """Row by row: each row holds its part of every output."""
    tensors = zip(as_list(answers), sizes)
    parts = [numpy.asarray(answer, "<f4").reshape(-1, size) for answer, size in tensors]
    pathlib.Path(path).write_bytes(numpy.concatenate(parts, axis=1).tobytes())


`;
