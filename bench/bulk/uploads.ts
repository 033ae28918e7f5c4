import { setTimeout as sleep } from 'node:timers/promises'
import type { BulkUpload } from '@isotherm/contract/bulk-uploads.ts'
import type { Sender } from './scene.ts'

export interface Answer {
  status: number
  code?: string
  payload: BulkUpload
}

/** The calls of a file of shipments, at a server on this machine. */
export function uploadsAt(base: string) {
  const ask = async (path: string, { token }: Sender, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${base}/app/api/v1/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) }
  }
  const send = (by: Sender, name: string, bytes: Buffer): Promise<Answer> => {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(bytes)], name))
    return ask('export/shipments/bulk-upload', by, { method: 'POST', body: form })
  }
  const read = async (by: Sender, id: string): Promise<BulkUpload> => {
    const { status, payload } = await ask(`export/shipment-uploads/${id}`, by)
    // The server has too much to do, and says so: it is asked again.
    if (status === 503) return sleep(500).then(() => read(by, id))
    if (status !== 200) throw new Error(`upload ${id}: ${status}`)
    return payload
  }
  /** Resolves once the upload is settled, or `isEnough` of it. */
  const follow = async (by: Sender, id: string, isEnough: (upload: BulkUpload) => boolean = () => false) => {
    for (;;) {
      const upload = await read(by, id)
      if ((upload.state !== 'waiting' && upload.state !== 'working') || isEnough(upload)) return upload
      await sleep(20)
    }
  }
  /** From the request until it is settled. */
  const upload = async (by: Sender, name: string, bytes: Buffer) => {
    const started = performance.now()
    const { status, code, payload } = await send(by, name, bytes)
    if (status !== 200) throw new Error(`the file was refused: ${status} ${code}`)
    const settled = await follow(by, payload.id)
    return { ms: performance.now() - started, settled }
  }
  return { send, follow, upload }
}
