import type { Schemas } from './types.ts'

export interface Lines {
  readings: Schemas['ExportedReading'][]
  end: Schemas['ExportCursor']
}

/**
 * The lines of an export up to each of its cursors. What came after the last cursor of a line that broke is left out: it comes again from there.
 */
export async function* batchesOf({ body }: Response): AsyncGenerator<Lines, void, undefined> {
  let readings: Lines['readings'] = []
  for await (const text of linesOf(body)) {
    const line: Lines['readings'][number] | Lines['end'] = JSON.parse(text)
    if (!('cursor' in line)) readings.push(line)
    else {
      yield { readings, end: line }
      readings = []
    }
  }
}

/** Whole lines only; ends where the line breaks. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const part = await reader.read().catch(() => null)
      if (!part || part.done) return
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
