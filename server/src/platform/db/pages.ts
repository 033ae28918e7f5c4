interface Page {
  page: number
  perPage: number
}

const perPage = 1_000

/** Every row of a list that is read by the page. A page that is not full is the last. */
export async function* everyRow<Row>(readPage: (page: Page) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let page = 1; ; page++) {
    const rows = await readPage({ page, perPage })
    yield* rows
    if (rows.length < perPage) return
  }
}
