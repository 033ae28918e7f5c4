import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the interface behaves: `slow` works a document off when it is asked the third time, `drops` takes one and ends the connection. */
export type CaptureMode =
  | 'good'
  | 'slow'
  | 'refuses'
  | 'unknownUs'
  | 'tooLarge'
  | 'fails'
  | 'hangs'
  | 'drops'
  | 'redirects'
  | 'finds'

export interface CaptureServer {
  url: string
  mode: CaptureMode
  /** How the next documents are answered, before `mode` is for them. */
  next: CaptureMode[]
  /** The limit of events that it names and keeps; null: it names none. */
  limit: number | null
  /** The most bytes of a document that it names and keeps to; null: it names none. */
  bytes: number | null
  /** The address before the path by which an outcome is asked for. */
  locationBase: string
  /** Every document that was taken. */
  taken: { epcisBody: { eventList: { eventID: string }[] } }[]
  /** Headers of every request that posted something. */
  posted: IncomingMessage['headers'][]
  /** Paths that were asked with GET. */
  asked: string[]
  close(): Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** A receiver's capture interface of EPCIS 2.0, on loopback. */
export async function openCapture(): Promise<CaptureServer> {
  const asks = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request
    if (method === 'OPTIONS') {
      const limits = capture.limit === null ? {} : { 'gs1-epcis-capture-limit': String(capture.limit) }
      const bytes = capture.bytes === null ? {} : { 'gs1-epcis-capture-file-size-limit': String(capture.bytes) }
      response.writeHead(204, { ...limits, ...bytes }).end()
      return
    }
    if (method === 'GET') {
      capture.asked.push(url)
      const count = (asks.get(url) ?? 0) + 1
      asks.set(url, count)
      if (capture.mode === 'slow' && count < 3)
        return json(response, 200, { running: true, success: false, errors: [] })
      if (capture.mode === 'finds')
        return json(response, 200, { running: false, success: false, errors: [{ title: 'Unknown SSCC' }] })
      return json(response, 200, { running: false, success: true, errors: [] })
    }
    capture.posted.push(request.headers)
    const body = await bodyOf(request)
    if (capture.bytes !== null && Buffer.byteLength(body) > capture.bytes)
      return json(response, 413, { title: 'Too large' })
    const document = JSON.parse(body)
    switch (capture.next.shift() ?? capture.mode) {
      case 'refuses':
        return json(response, 400, { title: 'Not valid', detail: 'eventTime' })
      case 'unknownUs':
        return json(response, 401, { title: 'Unauthorized' })
      case 'fails':
        return json(response, 500, { title: 'Out of order' })
      case 'hangs':
        return
      case 'drops':
        capture.taken.push(document)
        response.destroy()
        return
      case 'redirects':
        response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end()
        return
      case 'tooLarge':
        if (document.epcisBody.eventList.length > (capture.limit ?? 2))
          return json(response, 413, { title: 'Too large' })
    }
    capture.taken.push(document)
    return json(response, 202, {}, { location: `${capture.locationBase}/capture/${capture.taken.length}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const capture: CaptureServer = {
    ...{
      url: `http://127.0.0.1:${port}/capture`,
      mode: 'good',
      next: [],
      limit: null,
      bytes: null,
      locationBase: '',
      taken: [],
      posted: [],
      asked: [],
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return capture
}
