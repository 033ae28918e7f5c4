import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Pace } from '../loop/pace.ts'

/**
 * Waits, before a long body is read from its connection, until its company may send one: meanwhile the bytes stay with the sender.
 * Throws BUSY where too many of them wait; the connection then ends, because its body would have to be read to be thrown away.
 */
export async function waitToRead(
  pace: Pace,
  company: number | null,
  { headers, socket }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (await pace.whenToRead(company, Number(headers['content-length'] ?? 0), () => socket.destroyed)) return
  reply.header('connection', 'close')
  throw new AppError('BUSY', {}, 5)
}
