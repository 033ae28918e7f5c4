/** Ends the process where something that was left open keeps it alive: whoever runs it would wait, then kill it. */
export function endSoon(afterMs: number): void {
  setTimeout(() => {
    console.error(
      `Left open at the end: ${process.getActiveResourcesInfo().join(', ')}. The process ends all the same.`,
    )
    process.exit()
  }, afterMs).unref()
}
