import type { DevicePath } from '@isotherm/contract/device-history.ts'
import { dim, heading, ink, line, type Paper, paragraph, sheet, textWidth, tones } from '../../../reporting/paper.ts'
import { besideLine, niceSteps } from '../../../reporting/ticks.ts'
import type { ReportContent } from '../content.ts'
import { type Frame, landWithin } from './land.ts'

const height = 230
const kmPerDegree = 111.195

type Fix = DevicePath['segments'][number][number]

/** The land around a path, read once for both times a report is laid out. */
export interface Ground {
  frame: Frame
  rings: [number, number][][]
}

/** Longitudes without the jump at the date line. */
function unrolled(path: DevicePath): (Fix & { lon: number })[][] {
  let before: number | null = null
  return path.segments.map((segment) =>
    segment.map((fix) => {
      const turns = before === null ? 0 : Math.round((before - fix.lon) / 360)
      before = fix.lon + turns * 360
      return { ...fix, lon: before }
    }),
  )
}

// Positions of a tracker that stands differ by some tens of metres, indoors by more.
const standsWithinKm = 0.5

/** The positions of a path: where it lies, and how far apart its corners are; undefined without a path. */
function spreadOf(path: DevicePath): { frame: Frame; km: number } | undefined {
  const fixes = unrolled(path).flat()
  const [first] = fixes
  if (!first) return undefined
  const frame = { west: first.lon, east: first.lon, south: first.lat, north: first.lat }
  for (const { lat, lon } of fixes) {
    frame.west = Math.min(frame.west, lon)
    frame.east = Math.max(frame.east, lon)
    frame.south = Math.min(frame.south, lat)
    frame.north = Math.max(frame.north, lat)
  }
  const narrowing = Math.cos((first.lat * Math.PI) / 180)
  const km = Math.hypot((frame.east - frame.west) * narrowing, frame.north - frame.south) * kmPerDegree
  return { frame, km }
}

/** The area of the sketch: the path with room around it, at least some 20 km; null where there is no path, or the device stood. */
export async function groundOf({ path }: ReportContent): Promise<Ground | null> {
  const spread = spreadOf(path)
  if (!spread || spread.km <= standsWithinKm) return null
  const fitted = framed(spread.frame)
  return { frame: fitted, rings: await landWithin(fitted) }
}

/** The frame with the sheet's proportions and a margin. */
function framed({ west, south, east, north }: Frame): Frame {
  const lat = (south + north) / 2
  const narrowing = Math.max(0.05, Math.cos((lat * Math.PI) / 180))
  const tall = Math.max((north - south) * 1.25, ((east - west) * 1.25 * narrowing * height) / textWidth, 0.18)
  const wide = (tall * textWidth) / height / narrowing
  const lon = (west + east) / 2
  return { west: lon - wide / 2, east: lon + wide / 2, south: lat - tall / 2, north: lat + tall / 2 }
}

/** Where the device was: a sketch over the land, first and last fix marked, out of range in red or blue. */
export function mapSketch(paper: Paper, { path }: ReportContent, ground: Ground | null) {
  const { doc, words } = paper
  heading(paper, words.t('map.title'), ground ? height + 30 : 20)
  if (!ground) {
    const at = path.segments.flat()[0]
    if (!at) return paragraph(paper, words.t('map.none'))
    return paragraph(paper, words.t('map.stood', { metres: words.number(standsWithinKm * 1000), place: placeOf(at) }))
  }
  const { frame, rings } = ground
  const top = paper.y
  const x = (lon: number) => sheet.left + ((lon - frame.west) / (frame.east - frame.west)) * textWidth
  const y = (lat: number) => top + ((frame.north - lat) / (frame.north - frame.south)) * height
  doc.save().rect(sheet.left, top, textWidth, height).clip()
  doc.rect(sheet.left, top, textWidth, height).fill('#e3edf3')
  for (const ring of rings) {
    for (const [index, [lon, lat]] of ring.entries())
      if (index === 0) doc.moveTo(x(lon), y(lat))
      else doc.lineTo(x(lon), y(lat))
    doc.closePath()
  }
  if (rings.length > 0) doc.fill('#f6f3ec', 'even-odd')
  printGrid(paper, frame, { x, y, top })
  const segments = unrolled(path)
  for (const segment of segments) drawSegment(paper, segment, x, y)
  const [first, last] = [segments[0]?.[0], segments.at(-1)?.at(-1)]
  if (first) dot(paper, x(first.lon), y(first.lat), '#ffffff')
  if (last) dot(paper, x(last.lon), y(last.lat), ink)
  doc.restore()
  doc.rect(sheet.left, top, textWidth, height).lineWidth(0.5).strokeColor(line).stroke()
  paper.y = top + height + 6
  if (first && last) printEnds(paper, first, last, path.leftOut)
}

const dot = ({ doc }: Paper, x: number, y: number, fill: string) =>
  doc.circle(x, y, 3.6).lineWidth(1.6).fillAndStroke(fill, ink)

const colorOf = ({ temperature }: Fix) =>
  temperature === 'above' ? tones.warm : temperature === 'below' ? tones.cold : tones.ok

function drawSegment({ doc }: Paper, segment: Fix[], x: (lon: number) => number, y: (lat: number) => number) {
  if (segment.length === 1 && segment[0])
    doc.circle(x(segment[0].lon), y(segment[0].lat), 1.8).fill(colorOf(segment[0]))
  segment.forEach((fix, index) => {
    const before = segment[index - 1]
    if (!before) return
    doc.moveTo(x(before.lon), y(before.lat)).lineTo(x(fix.lon), y(fix.lat)).lineWidth(1.6).lineCap('round')
    doc.strokeColor(colorOf(before)).stroke()
  })
}

interface Projection {
  x(lon: number): number
  y(lat: number): number
  top: number
}

function printGrid({ doc, words }: Paper, frame: Frame, { x, y, top }: Projection) {
  const bottom = top + height
  doc.font('text').fontSize(6.5)
  const degrees = (value: number, decimals: number, sides: string) => {
    const turned = ((((value + 180) % 360) + 360) % 360) - 180
    return `${words.number(Math.abs(turned), decimals)}° ${turned < 0 ? sides[1] : turned > 0 ? sides[0] : ''}`.trim()
  }
  const across = niceSteps(frame.west, frame.east, 0)
  for (const lon of across.values) {
    if (lon <= frame.west || lon >= frame.east) continue
    doc.moveTo(x(lon), top).lineTo(x(lon), bottom).lineWidth(0.3).strokeColor('#c9d3da').stroke()
    const label = degrees(lon, across.decimals, 'EW')
    const left = besideLine(x(lon), doc.widthOfString(label), sheet.left + textWidth)
    doc.fillColor(dim).text(label, left, bottom - 10, { lineBreak: false })
  }
  const down = niceSteps(frame.south, frame.north, 0)
  for (const lat of down.values) {
    if (lat <= frame.south || lat >= frame.north) continue
    doc
      .moveTo(sheet.left, y(lat))
      .lineTo(sheet.left + textWidth, y(lat))
      .lineWidth(0.3)
      .strokeColor('#c9d3da')
      .stroke()
    doc.fillColor(dim).text(degrees(lat, down.decimals, 'NS'), sheet.left + 3, y(lat) - 9, { lineBreak: false })
  }
  printScale({ doc, words }, frame, top)
}

function printScale({ doc, words }: Pick<Paper, 'doc' | 'words'>, { south, north }: Frame, top: number) {
  const pointsPerKm = height / ((north - south) * kmPerDegree)
  const km = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].findLast((size) => size * pointsPerKm <= 110) ?? 0.5
  const right = sheet.width - sheet.right - 10
  const left = right - km * pointsPerKm
  doc
    .moveTo(left, top + 14)
    .lineTo(left, top + 18)
    .lineTo(right, top + 18)
    .lineTo(right, top + 14)
  doc.lineWidth(0.8).strokeColor(ink).stroke()
  doc.fillColor(ink).text(`${words.number(km, km < 1 ? 1 : 0)} km`, right - 60, top + 5, { width: 56, align: 'right' })
}

const placeOf = ({ lat, lon }: Fix) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`

function printEnds(paper: Paper, first: Fix, last: Fix, leftOut: number) {
  const { t, time, number } = paper.words
  const at = (fix: Fix) => time(fix.at)
  const ends = t('map.ends', { first: placeOf(first), firstAt: at(first), last: placeOf(last), lastAt: at(last) })
  const left = leftOut > 0 ? ` ${t('map.thinned', { total: number(leftOut) })}` : ''
  paragraph(paper, `${ends}${left}`, { size: 7 })
}
