import { text } from './common.ts'

/** Texts that may be left empty, by their length: named, so that the document of the API says each once. */
export const Text40 = text(40).nullable()
export const Text80 = text(80).nullable()
export const Text120 = text(120).nullable()
