import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 random bits, opaque. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token. A plain hash is enough for 256 random bits. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * The token of a mail link: derived from its row by the installation's secret, so that neither the row nor
 * the waiting mail job holds anything a thief of the database could use.
 */
export const mailToken = (secret: Buffer, id: string): string =>
  createHmac('sha256', secret).update(`mail:${id}`).digest('base64url')
