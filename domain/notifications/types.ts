/** A delivery that somebody has taken to send it. */
export interface TakenDelivery {
  /** Bare UUID. */
  readonly id: string;
  /** As it is shown: receivers drop what they have by it. */
  readonly shownId: string;
  readonly channel: "webhook" | "mail";
  /** Bare UUID of the webhook or the recipient. */
  readonly targetId: string;
  readonly address: string;
  readonly event: string;
  /** What is sent, the same at every try. */
  readonly body: string;
  /** Signs the body, as it is kept: `openWebhookSecret` opens it; null for e-mail, and where the webhook is gone. */
  readonly secret: string | null;
  /** Which try this is, from 1: what came of it is noted for this one alone. */
  readonly tries: number;
  /** By the database's clock. */
  readonly takenAt: Date;
  /** Whether its webhook or recipient is still there. */
  readonly isWanted: boolean;
}

/** What came of sending one. */
export interface DeliveryOutcome {
  readonly isDelivered: boolean;
  /** Whether another try may do. */
  readonly mayRetry: boolean;
  readonly status: number | null;
  readonly problem: string | null;
}
