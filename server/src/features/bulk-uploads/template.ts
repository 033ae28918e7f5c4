import { bulkLimits, type TemplateQuery } from '@isotherm/contract/bulk-uploads.ts'
import type { BulkKind } from '../../core/bulk/bulk-kind.ts'
import type { BulkColumn, BulkRules } from '../../core/bulk/bulk-rules.ts'
import { headingsOf } from '../../core/bulk/headings.ts'
import type { Context } from '../../platform/context.ts'
import type { FileBody } from '../../platform/http/serve.ts'
import { textsOf, translate } from '../../platform/i18n/i18n.ts'

const bold = { font: { bold: true } } as const
const asText = { numFmt: '@' } as const
/** Rows of a template whose cells have a look: of a whole column it would not be written. */
const styledRows = 500

/** An empty file: headings in the reader's language; a workbook also has lists to choose from, and says how it is filled in. */
export async function template(ctx: Context, kind: BulkKind, { format }: TemplateQuery): Promise<FileBody> {
  const { rules } = (await import(kind.rules.href)) as { rules: BulkRules<unknown, unknown, unknown> }
  const headings = headingsOf(kind.name)[ctx.locale]
  const heads = rules.columns.map(({ name, isNeeded }) => `${headings[name] ?? name}${isNeeded ? ' *' : ''}`)
  const filename = `${kind.name}-template.${format}`
  if (format === 'csv') {
    // Where the comma is the decimal sign, spreadsheets open semicolons.
    const mark = ctx.locale === 'fr' || ctx.locale === 'es' ? ';' : ','
    return { filename, body: `\ufeff${heads.join(mark)}\r\n`, contentType: 'text/csv' }
  }
  return { filename, body: await bookOf(ctx, kind, rules.columns, heads) }
}

async function bookOf(ctx: Context, kind: BulkKind, columns: readonly BulkColumn[], heads: readonly string[]) {
  // Large, and needed here alone.
  const { writeXlsx } = await import('hucre/xlsx')
  const say = (key: string) => translate(ctx.locale, `bulkUploads:template.${key}`)
  const names = Map.groupBy(await kind.names(ctx), (one) => one.kind)
  const lists = columns.filter(({ choices }) => choices !== undefined && choices.length > 0)
  const named = ({ nameIn = String }: BulkColumn, value: string) => nameIn(value, ctx.locale)
  const values = lists.map((one) =>
    typeof one.choices === 'string'
      ? (names.get(one.choices) ?? []).map(({ name }) => name)
      : (one.choices ?? []).map((value) => named(one, value)),
  )
  const listsName = say('sheet.lists')
  const letter = (index: number) => String.fromCharCode(65 + index)
  const column = (index: number): string => (index >= 26 ? letter(Math.floor(index / 26) - 1) : '') + letter(index % 26)
  const dataValidations = lists.flatMap((one, index) => {
    const at = column(columns.indexOf(one))
    const count = values[index]?.length ?? 0
    if (count === 0) return []
    return [
      {
        ...{ type: 'list' as const, allowBlank: true, showErrorMessage: false },
        formula1: `'${listsName}'!$${letter(index)}$2:$${letter(index)}$${count + 1}`,
        range: `${at}2:${at}${bulkLimits.rows + 1}`,
      },
    ]
  })
  const help = textsOf(ctx.locale, `bulkUploads:help.${kind.name}`)
  const data = {
    name: say(`sheet.${kind.name}`),
    columns: columns.map(() => ({ width: 20 })),
    rows: [[...heads]],
    cells: new Map<string, object>([
      ...heads.map((value, at) => [`0,${at}`, { value, style: bold }] as const),
      ...columns.flatMap(({ isText }, at) =>
        isText
          ? Array.from(
              { length: styledRows },
              (_, row) => [`${row + 1},${at}`, { value: null, style: asText }] as const,
            )
          : [],
      ),
    ]),
    freezePane: { rows: 1 },
    dataValidations,
  }
  const intro = [`rows.${kind.name}`, 'dates', 'text', 'limit'].map((name) => [say(`intro.${name}`)])
  const table = [say('column'), say('needed'), say('example'), say('help')]
  const howTo = {
    name: say('sheet.howTo'),
    columns: [{ width: 34 }, { width: 12 }, { width: 46 }, { width: 90 }],
    rows: [
      ...intro,
      [],
      table,
      ...columns.map((one, at) => [
        heads[at]?.replace(/ \*$/, '') ?? one.name,
        one.isNeeded ? say('yes') : null,
        named(one, one.example),
        help[one.name] ?? null,
      ]),
    ],
    cells: new Map(table.map((value, at) => [`${intro.length + 1},${at}`, { value, style: bold }])),
  }
  const longest = Math.max(...values.map(({ length }) => length))
  const listSheet = {
    name: listsName,
    columns: lists.map(() => ({ width: 28 })),
    rows: [
      lists.map((one) => heads[columns.indexOf(one)]?.replace(/ \*$/, '') ?? one.name),
      ...Array.from({ length: longest }, (_, row) => values.map((list) => list[row] ?? null)),
    ],
  }
  return Buffer.from(await writeXlsx({ sheets: [data, howTo, listSheet] }))
}
