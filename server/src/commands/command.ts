import type { Config } from '../platform/config/config.ts'

/** Runs with the arguments after its name; resolves with the exit code, or nothing for 0. */
export type Command = (config: Config, args: string[]) => Promise<number | undefined>
