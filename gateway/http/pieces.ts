import type { IncomingMessage } from "node:http";
import { PacedWork, tellSmallRequest } from "../intake";

/** Bodies that are announced to be no larger are read as they come. */
const smallBytes = 256 * 1024;

/** Holds back the pieces of a body. */
export interface PieceReader {
  /** Takes no more pieces for good, and tells of nothing any more but of its loss. */
  stop(): void;
  /** Takes no more pieces until `goOn`. */
  hold(): void;
  goOn(): void;
}

interface PieceListener {
  readonly onPiece: (piece: Buffer) => void;
  readonly onEnd: () => void;
  /** The caller is gone before the end. */
  readonly onLoss: () => void;
}

/** Reads the body of a request piece by piece: a large one, or one of a length that is not announced, at a pace. */
export function readPieces(request: IncomingMessage, listener: PieceListener): PieceReader {
  request.on("error", listener.onLoss);
  request.on("close", () => {
    if (!request.complete) listener.onLoss();
  });
  const isSmall = Number(request.headers["content-length"] ?? Number.NaN) <= smallBytes;
  return (isSmall ? readAsItComes : readAtPace)(request, listener);
}

function readAsItComes(request: IncomingMessage, { onPiece, onEnd }: PieceListener): PieceReader {
  tellSmallRequest();
  let stopped = false;
  request.on("data", (piece: Buffer) => {
    if (!stopped) onPiece(piece);
  });
  request.on("end", () => {
    if (!stopped) onEnd();
  });
  return {
    stop() {
      stopped = true;
      request.pause();
    },
    hold: () => request.pause(),
    goOn: () => request.resume(),
  };
}

/** What came between two looks is taken as one piece, however many crumbs it came in. */
function readAtPace(request: IncomingMessage, { onPiece, onEnd }: PieceListener): PieceReader {
  const { socket } = request;
  const work = new PacedWork();
  // One that is announced is large, and begins with its turn; others may be small.
  let begun = request.headers["content-length"] === undefined;
  let stopped = false;
  let held = false;
  let waiting = false;
  let ready = false;
  let wireBytes = socket.bytesRead;
  const goOn = () => {
    waiting = false;
    take();
  };
  const take = () => {
    if (stopped || held || waiting || !ready) return;
    if (!begun) {
      begun = true;
      waiting = work.waitsToBegin(goOn);
      if (waiting) return;
    }
    ready = false;
    const piece: Buffer | null = request.read();
    if (piece === null) return;
    const wireBefore = wireBytes;
    wireBytes = socket.bytesRead;
    const frameBytes = Math.max(0, wireBytes - wireBefore - piece.length);
    waiting = work.endsTurn({ bodyBytes: piece.length, frameBytes }, goOn);
    onPiece(piece);
  };
  request.on("readable", () => {
    ready = true;
    take();
  });
  request.on("end", () => {
    if (!stopped) onEnd();
  });
  return {
    stop() {
      stopped = true;
    },
    hold() {
      held = true;
    },
    goOn() {
      held = false;
      take();
    },
  };
}
