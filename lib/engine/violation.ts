/** What was expected and what came instead, in words; nothing else is needed to see the fault. */
export interface Violation {
  /** Every outcome that would have been right. */
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer (RFC 6901) into the response body. */
  readonly pointer?: string;
}
