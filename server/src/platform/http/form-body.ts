import multipart from '@fastify/multipart'
import type { Call } from '@isotherm/contract/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import type { Pace } from '../loop/pace.ts'

/** The fields of a form that no row has are told to the caller, up to so many. */
const unknownFields = 20
const fieldBytes = 65_536

/** Takes multipart/form-data, and nothing else, at the routes of this scope. */
export async function takeForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { throwFileSizeLimit: false })
}

/**
 * Reads the fields of a form into the request's body, each file as a `File`. All of it stays in memory, at most as much as the
 * call takes: a body that is refused, or that ends early, leaves nothing on the disk. A file that is longer than its field allows is
 * read one byte beyond that, so that the row refuses it by its name. Throws BODY_TOO_LARGE or MALFORMED_BODY.
 */
export async function readForm(
  pace: Pace,
  limits: FormLimits,
  maxBytes: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.isMultipart()) return
  let bytes = 0
  const over = new Promise<never>((_, reject) =>
    request.raw.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > maxBytes) reject(new AppError('BODY_TOO_LARGE'))
    }),
  )
  try {
    const { fields, isCut } = await Promise.race([fieldsOf(request, limits), over])
    if (isCut) endAfterAnswer(reply)
    request.body = fields
  } catch (error) {
    endAfterAnswer(reply)
    throw refusalOf(error)
  } finally {
    // The length that was announced is counted already.
    const announced = Number(request.headers['content-length'] ?? maxBytes)
    if (bytes > announced) pace.read(request.companyId ?? null, bytes - announced)
  }
}

/** The rest of the body would have to be read to be thrown away. */
const endAfterAnswer = (reply: FastifyReply) => reply.header('connection', 'close')

type FormLimits = ReturnType<typeof formLimits>

/** The limits of a call's form while it is read: a file may have one byte more than the row allows. */
export function formLimits({ body }: Call) {
  const { properties = {} } = z.toJSONSchema(body, { io: 'input' }) as { properties?: Record<string, Field> }
  const fields = Object.values(properties)
  const sizes = fields.map(({ format, maxLength = 0 }) => (format === 'binary' ? maxLength : 0))
  const parts = fields.length + unknownFields
  return { fileSize: Math.max(...sizes) + 1, fieldSize: fieldBytes, fieldNameSize: 100, headerPairs: 20, parts }
}
interface Field {
  format?: string
  maxLength?: number
}

/** The fields by name; several of one name are a list. `isCut`: a file was longer than any may be, and what follows was not read. */
async function fieldsOf(request: FastifyRequest, limits: FormLimits) {
  const fields = new Map<string, unknown>()
  let isCut = false
  for await (const part of request.parts({ limits })) {
    const value = part.type === 'file' ? await fileOf(part, limits.fileSize) : part.value
    if (part.type === 'field' && part.valueTruncated) throw new AppError('BODY_TOO_LARGE')
    const known = fields.get(part.fieldname)
    fields.set(part.fieldname, known === undefined ? value : [known, value].flat())
    isCut = value instanceof File && value.size >= limits.fileSize
    if (isCut) break
  }
  return { fields: Object.fromEntries(fields), isCut }
}

async function fileOf(
  { file, filename, mimetype }: Pick<multipart.MultipartFile, 'file' | 'filename' | 'mimetype'>,
  maxBytes: number,
): Promise<File> {
  const pieces: Buffer<ArrayBuffer>[] = []
  let bytes = 0
  for await (const piece of file as AsyncIterable<Buffer<ArrayBuffer>>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= maxBytes) break
  }
  // Browsers write a quotation mark as %22, by the standard of HTML. A part of bytes may come without a name.
  return new File(pieces, (filename || '').replaceAll('%22', '"'), { type: mimetype })
}

const limitCodes = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'])

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(limitCodes.has((error as { code?: string }).code ?? '') ? 'BODY_TOO_LARGE' : 'MALFORMED_BODY')
}
