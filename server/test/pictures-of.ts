import { extractImages } from 'unpdf'

/** The sizes of the pictures on a page of a PDF, in pixels: "472x165". */
export const picturesOf = async (pdf: Buffer, page = 1): Promise<string[]> =>
  (await extractImages(new Uint8Array(pdf), page)).map(({ width, height }) => `${width}x${height}`)
