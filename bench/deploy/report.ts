export type Verdict = 'tried' | 'not tried' | 'FAILED'

/** One thing to try, and its outcome. */
export interface Line {
  name: string
  verdict: Verdict
  words: string
}

/** All that was tried, in order. */
export class Report {
  readonly lines: Line[] = []

  add(name: string, verdict: Verdict, words: string): void {
    this.lines.push({ name, verdict, words })
    console.log(`${verdict === 'FAILED' ? '✗' : verdict === 'tried' ? '✓' : '-'} ${name}: ${words}`)
  }

  /** Does it, and says what came of it: the sentence it returns, or its error. Resolves with whether it went well. */
  async try(name: string, act: () => Promise<string> | string): Promise<boolean> {
    try {
      this.add(name, 'tried', await act())
      return true
    } catch (error) {
      this.add(name, 'FAILED', error instanceof Error ? error.message : String(error))
      return false
    }
  }

  print(): void {
    const width = Math.max(...this.lines.map(({ name }) => name.length))
    console.log(
      `\n${this.lines.map(({ name, verdict, words }) => `${name.padEnd(width)}  ${verdict.padEnd(9)}  ${words}`).join('\n')}`,
    )
  }

  get failed(): boolean {
    return this.lines.some(({ verdict }) => verdict === 'FAILED')
  }
}
