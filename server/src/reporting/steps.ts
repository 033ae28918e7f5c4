/** Tells of progress in steps of at least so much, not at every bit of it. */
export function inSteps(step: number, tell: (progress: number) => void) {
  let last = 0
  return (progress: number) => {
    if (progress < last + step) return
    last = progress
    tell(progress)
  }
}
