import classes from './security.module.css'

/** A code for cameras, dark on white in both themes; `rows` has a text of 0 and 1 for each row. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const side = rows.length + 8
  const path = rows.flatMap((row, y) => [...row].map((sign, x) => (sign === '1' ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
