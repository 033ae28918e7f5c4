import { readFile } from 'node:fs/promises'

// pino's numbers.
const errorLevel = 50

interface Line {
  level?: number
  msg?: string
  err?: { message?: string; stack?: string }
}

/** What the server printed: each warning with how often it came, and every line that says that something of its own is broken. */
export async function readLog(path: string): Promise<{ warnings: Record<string, number>; errors: string[] }> {
  const warnings: Record<string, number> = {}
  const errors: string[] = []
  for (const text of (await readFile(path, 'utf8')).split('\n')) {
    if (!text.trim()) continue
    const { level = errorLevel, msg = '', err } = parsed(text)
    if (level >= errorLevel) errors.push(text.slice(0, 2_000))
    else {
      const key =
        `${msg.replace(/\d+/g, 'N').slice(0, 100)} ${err?.message?.replace(/\d+/g, 'N').slice(0, 100) ?? ''}`.trim()
      warnings[key] = (warnings[key] ?? 0) + 1
    }
  }
  return { warnings, errors }
}

// What is no line of the log (a stack, a warning of Node) is printed by what went wrong.
function parsed(text: string): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    return { msg: text }
  }
}
