/** What probably makes a service break a requirement: one explanation of every broken case. */
export interface Cause {
  /** Equal for causes of the same kind. */
  readonly id: string;
  /** A few words, such as `white space trimmed at both ends`. */
  readonly text: string;
  /** What to do about it, in one sentence. */
  readonly next: string;
}

/** With fewer requests or texts of a kind, they may have something in common by chance. */
export const MIN_SAMPLE = 3;

/** Maximum number of responses that may overtake another one. */
export const OVERTAKING = 16;
