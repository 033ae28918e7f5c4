import type { Call } from '@isotherm/contract/call.ts'

/** A file to be sent, whose content can be read at once. */
export class SentFile extends File {
  readonly filename: string
  readonly content: string | Buffer<ArrayBuffer>
  constructor(filename: string, content: string | Buffer<ArrayBuffer>) {
    super([content], filename)
    this.filename = filename
    this.content = content
  }
}

const boundary = 'isotherm-test-7d1f'
export const formType = `multipart/form-data; boundary=${boundary}`

/** Fields as a form: a `SentFile`, or anything with a file name and a content, as a file; the rest as texts. */
export function formOf(fields: unknown): Buffer {
  const parts = Object.entries(fields ?? {}).flatMap(([name, value]) => {
    const { filename, content } = (value ?? {}) as { filename?: unknown; content?: unknown }
    const isFile = filename !== undefined && content !== undefined
    const head = `content-disposition: form-data; name="${quoted(name)}"`
    return [
      `--${boundary}\r\n${head}${isFile ? `; filename="${quoted(textOf(filename))}"` : ''}\r\n\r\n`,
      isFile ? bytesOf(content) : bytesOf(value),
      '\r\n',
    ]
  })
  return Buffer.concat([...parts, `--${boundary}--\r\n`].map(bytesOf))
}

// As browsers do.
const quoted = (text: string) => text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
// What is generated may have a `toString` of its own that is no function.
const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(JSON.stringify(value)))
const bytesOf = (value: unknown): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(textOf(value)))

/** A body as its call takes it: payload and content type. */
export const encoded = ({ bodyKind }: Pick<Call, 'bodyKind'>, body: unknown) =>
  bodyKind === 'form'
    ? { payload: formOf(body), type: formType }
    : { payload: Buffer.from(JSON.stringify(body) ?? ''), type: 'application/json' }

/** A body with files goes as a form. */
export const hasFile = (body: unknown) => Object.values(body ?? {}).some((value) => value instanceof File)
