import pg from 'pg'
import { connectionOf } from './connection.ts'
import { giveWay } from './give-way.ts'

// int8 ids arrive as strings (they are strings in JSON too); instants as Date.
export type Pool = pg.Pool
export type Client = pg.PoolClient

interface Options {
  /** Statements over other connections come before statements over these. */
  givesWay?: boolean
}

/** A pool whose idle connections may break (the database restarts) without taking the process down. */
export function createPool(
  url: string,
  max: number,
  onError: (error: Error) => void,
  { givesWay = false }: Options = {},
): Pool {
  const options = {
    ...connectionOf(url),
    databaseUrl: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'isotherm',
    // Statements are sent without waiting for the answers of those before.
    pipeline: true,
  }
  const pool = new pg.Pool(options)
  pool.on('error', onError)
  // Between connecting and whoever asked for it a client has no listener: a database that dies just then would end us.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (givesWay) pool.on('connect', giveWay)
  return pool
}

/** The address that a pool was made of, for a process that connects by itself. */
export const urlOf = ({ options }: Pool): string => String((options as { databaseUrl?: unknown }).databaseUrl)
