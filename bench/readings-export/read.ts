import { type ClientRequest, request } from 'node:http'
import { apiBase } from '../../contract/src/call.ts'
import type { ExportCursor } from '../../contract/src/readings-export.ts'

interface Options {
  port: number
  token: string
  cursor?: string | undefined
  onReading?(deviceId: string, at: string): void
}

export interface Reading {
  /** The last line; undefined where it was broken off before one came. */
  end: Promise<ExportCursor | undefined>
  stop(): void
}

/** Reads one answer of the export, as fast as it comes. Without `onReading` its lines are not looked at. */
export function readExport({ port, token, cursor, onReading }: Options): Reading {
  const path = `${apiBase}/readings/export${cursor ? `?cursor=${cursor}` : ''}`
  const headers = { authorization: `Bearer ${token}` }
  let sent: ClientRequest | undefined
  const end = new Promise<ExportCursor | undefined>((resolve, reject) => {
    sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) {
        answer.once('data', (body) => reject(new Error(`the export answered ${answer.statusCode}: ${body}`)))
        return
      }
      let rest = ''
      let last: ExportCursor | undefined
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        if (!onReading) return
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines)
          if (line.startsWith('{"cursor"')) last = JSON.parse(line)
          else onReading(between(line, '"deviceId":"'), between(line, ',"at":"'))
      })
      answer.once('close', () => resolve(last))
      answer.on('error', () => {})
    })
    sent.on('error', (error) => (sent?.destroyed ? resolve(undefined) : reject(error)))
    sent.end()
  })
  return { end, stop: () => sent?.destroy() }
}

function between(line: string, mark: string): string {
  const from = line.indexOf(mark) + mark.length
  return line.slice(from, line.indexOf('"', from))
}
