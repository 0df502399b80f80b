/** What a person wants to know of a requirement before believing its verdict. */
export interface Explanation {
  /** What the interface, or the RFC, says that it rests on, in our words. */
  readonly why: string;
  /** Which requests are judged, and by what. */
  readonly tested: string;
  /** An example of a service that breaks it. */
  readonly failure: string;
}
