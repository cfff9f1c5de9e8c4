import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A client whose body is left unread has so long to read why: closing at once would reset the answer away. */
const lastWordsMs = 1000;

/** Ends the connection of a body that a route found too large. Node would go on reading it, for as long as it comes. */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = ((status: number, ...rest: []) => {
    if (status === 413 && !request.complete && !response.headersSent) {
      response.setHeader("connection", "close");
      const { socket } = request;
      // Called once the answer is written.
      socket.destroySoon = () => letRead(socket);
    }
    return writeHead.call(response, status, ...rest);
  }) as ServerResponse["writeHead"];
}

function letRead(socket: Socket): void {
  socket.end();
  // Node begins to read the rest in this turn.
  setImmediate(() => socket.pause());
  const late = setTimeout(() => socket.destroy(), lastWordsMs);
  socket.once("close", () => clearTimeout(late));
}
