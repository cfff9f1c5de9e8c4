import { fail } from "@/lib/common/errors";
import type { Reservation } from "../../intake";
import type { GrpcCall } from "./call";
import type { Http2Stream } from "./http2";
import { MessageReader, type RawMessage, unpacked } from "./messages";

/** A call whose messages come and go as they like. */
export interface StreamCall {
  readonly call: GrpcCall;
  /** The reservation holds the message; who listens closes it. */
  onMessage(listener: (message: Buffer, reservation: Reservation) => void): void;
  onEnd(listener: () => void): void;
  /** No message comes until `resume`. */
  pause(): void;
  resume(): void;
}

/** How the messages of a call are read. */
export interface Reading {
  readonly maxBytes: number;
  readonly encoding: string | undefined;
  /** Opens the account of the next message. */
  readonly open: () => Reservation;
}

/** Opens a call whose messages are handed on one by one, as soon as somebody listens. */
export function openStreamCall(stream: Http2Stream, call: GrpcCall, reading: Reading): StreamCall {
  let onMessage = (_: Buffer, reservation: Reservation): void => reservation.close();
  let onEnd = (): void => {};
  let failed = false;
  const refuseWith = (error: unknown): void => {
    if (failed) return;
    failed = true;
    reader.close();
    call.life.end(error);
    call.fail(error);
  };
  const row = new MessageRow(reading, {
    onMessage: (message, reservation) => {
      if (failed) reservation.close();
      else onMessage(message, reservation);
    },
    onFault: refuseWith,
  });
  const reader = new MessageReader({ ...reading, onMessage: (raw) => row.take(raw) });
  /** What waits on the stream: data while it is paused, answers that the caller does not take. */
  const held = reading.open();
  stream.listen({
    onData(piece) {
      if (failed) return;
      try {
        reader.take(piece);
      } catch (error) {
        refuseWith(error);
      }
    },
    onEnd() {
      void row.settled().then(() => {
        if (failed) return;
        if (reader.isWhole) onEnd();
        else refuseWith(fail("INFER_INVALID", "the last message is cut off"));
      });
    },
    onHeld(bytes) {
      if (failed || bytes <= 0) {
        held.addAnyway(bytes);
        return;
      }
      try {
        held.add(bytes);
      } catch (error) {
        held.addAnyway(bytes);
        refuseWith(error);
      }
    },
    onClose() {
      reader.close();
      held.close();
      call.onClose();
    },
  });
  return {
    call,
    onMessage(listener) {
      onMessage = listener;
    },
    onEnd(listener) {
      onEnd = listener;
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
  };
}

/** Hands messages on in the order in which they came: those that must be unpacked keep their place in the row. */
class MessageRow {
  private readonly reading: Reading;
  private readonly listener: RowListener;
  private last: Promise<void> | null = null;

  constructor(reading: Reading, listener: RowListener) {
    this.reading = reading;
    this.listener = listener;
  }

  /** @throws {AppError} As `unpacked`, when the message cannot be read. */
  take(raw: RawMessage): void {
    const { reservation } = raw;
    const message = this.unpack(raw);
    if (this.last === null && !(message instanceof Promise)) {
      this.listener.onMessage(message, reservation);
      return;
    }
    this.last = this.settled()
      .then(() => message)
      .then((whole) => this.listener.onMessage(whole, reservation))
      .catch((error: unknown) => {
        reservation.close();
        this.listener.onFault(error);
      });
  }

  /** Resolves when every message so far was handed on. */
  settled(): Promise<void> {
    return this.last ?? Promise.resolve();
  }

  private unpack(raw: RawMessage): Buffer | Promise<Buffer> {
    try {
      return unpacked(raw, this.reading);
    } catch (error) {
      raw.reservation.close();
      throw error;
    }
  }
}

interface RowListener {
  /** The reservation holds the message; who listens closes it. */
  readonly onMessage: (message: Buffer, reservation: Reservation) => void;
  readonly onFault: (error: unknown) => void;
}
