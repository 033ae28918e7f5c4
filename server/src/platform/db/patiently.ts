import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors/app-error.ts'

const maxTries = 5

/** Has long work that found the server busy ask again: a file that is half written cannot say BUSY. Throws it where that goes on for long. */
export async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'BUSY') || tries >= maxTries) throw error
      await sleep(1_000 * tries)
    }
  }
}
