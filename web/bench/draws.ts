/** Ms from the answer's text being there. */
export interface Drawn {
  /** Until the canvas is drawn: what the page itself works. */
  workedMs: number
  /** Until the second frame after it: it is on the screen. */
  shownMs: number
}

/** Draws an answer's text on the page. */
export type Drawing = 'ours' | 'bare'
export type Draw = (text: string) => Promise<Drawn>
