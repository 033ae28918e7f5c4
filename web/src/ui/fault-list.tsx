import classes from './fault-list.module.css'

interface Fault {
  /** The row and the column of the file. */
  where: string
  /** The words of its cell. */
  value?: string
  message: string
}

/** Faults of a file's rows, below each other: where a table would leave their messages no place. */
export function FaultList({ faults, label }: { faults: readonly Fault[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
    <ul className={classes.list} aria-label={label} tabIndex={0}>
      {faults.map(({ where, value, message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell may have several faults, and they do not move
        <li key={at}>
          <strong>{where}</strong>
          {value && <span className={classes.value}>{value}</span>}
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}
