import { inputs } from './inputs.ts'
import { measureBytes } from './measure.ts'
import { limitsOf, loadOf } from './simulate.ts'

/*
 * Computes what fleets of several sizes ask of an installation, and where three nodes on one primary end: the tables of docs/scale.md.
 *
 *   npm run bench -- scale                 from bench/scale/inputs.ts
 *   npm run bench -- scale --measure       bytes of a reading, by a server that takes some in (20 s each)
 */

const fleets = [1_000, 100_000, 1_000_000, 10_000_000]

if (process.argv.includes('--measure')) {
  for (const singly of [false, true]) console.log(await measureBytes(20, { singly }))
} else {
  const loads = fleets.map((devices) => Object.entries(loadOf(devices, inputs)))
  const rows = (loads[0] ?? []).map(([what], index) => [what, ...loads.map((load) => figure(load[index]?.[1] ?? 0))])
  print(['', ...fleets.map((devices) => `${figure(devices)} devices`)], rows)
  console.log()
  print(
    ['limit', 'devices'],
    limitsOf(inputs).map(({ what, devices }) => [what, figure(devices)]),
  )
}

/** Three digits are more than is known. */
function figure(value: number): string {
  if (value < 10) return value.toPrecision(2)
  return Number(value.toPrecision(3)).toLocaleString('en')
}

function print(head: string[], rows: string[][]) {
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}
