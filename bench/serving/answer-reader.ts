const headEnd = "\r\n\r\n";
const lastChunk = Buffer.from("\r\n0\r\n\r\n");
const none: Buffer = Buffer.alloc(0);

/**
 * Tells when an HTTP answer has come whole. Only its head and its last bytes are looked at: to join all chunks would cost more
 * than a server's answer does.
 */
export class AnswerReader {
  private head = "";
  private receivedBytes = 0;
  private tail: Buffer = none;

  /**
   * @returns The head of the answer that is whole with this chunk; else null.
   * @throws {Error} Of any answer but 200.
   */
  push(chunk: Buffer): string | null {
    this.receivedBytes += chunk.length;
    if (!this.head.includes(headEnd)) this.head += chunk.toString("latin1");
    this.tail = Buffer.concat([this.tail, chunk.subarray(-lastChunk.length)]).subarray(
      -lastChunk.length,
    );
    const split = this.head.indexOf(headEnd);
    if (split < 0) return null;
    const head = this.head.slice(0, split + 2);
    if (!head.startsWith("HTTP/1.1 200")) throw new Error(this.head);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    // What comes in chunks ends with an empty one; nothing comes after it before the next request.
    const isWhole =
      length === undefined
        ? this.tail.equals(lastChunk)
        : this.receivedBytes >= split + headEnd.length + Number(length);
    if (!isWhole) return null;
    this.head = "";
    this.receivedBytes = 0;
    this.tail = none;
    return head;
  }
}
