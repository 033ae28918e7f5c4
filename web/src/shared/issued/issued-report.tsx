import type { Call } from '@isotherm/contract/call.ts'
import type { GroupReport } from '@isotherm/contract/group-reports.ts'
import { ActionIcon, Progress, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, Suspense, useEffect } from 'react'
import { download } from '../../lib/download.ts'
import { refetchCalls } from '../../lib/query.ts'
import { formatTime } from '../../lib/times.ts'
import { ContentsNote } from './contents-note.tsx'
import classes from './issued.module.css'
import { type Issue, isUnderWay } from './issued-kind.ts'

type Issued = Issue & Pick<GroupReport, 'format'>

/** How a report that is being built is asked for again, until it is. */
export const watching = (known: Issued) => ({
  enabled: isUnderWay(known),
  refetchMs: isUnderWay(known) ? 1_000 : undefined,
})

interface IssuedReportProps<R extends Issued> {
  known: R
  /** The data that `watching` brought since. */
  fresh: R | undefined
  /** The list it stands in: asked for anew once it is over. */
  list: Call
  words: {
    state: (report: R) => string
    failure: (failure: NonNullable<R['failure']>) => string
    /** How much is in it; only of one that is ready. */
    facts: (report: R) => string
  }
  actions: (report: R) => ReactNode
}

interface IssuedListProps<R extends Issued> {
  label: string
  reports: readonly R[]
  line: (report: R) => ReactNode
  /** How much room the actions of a line take; that of one button if not told. */
  actionsWidth?: number
}

export function IssuedList<R extends Issued>({ label, reports, line, actionsWidth }: IssuedListProps<R>) {
  const style = actionsWidth === undefined ? undefined : ({ '--actions-width': `${actionsWidth}px` } as CSSProperties)
  return (
    <ul className={classes.list} aria-label={label} style={style}>
      {reports.map((report) => (
        <li key={report.id}>{line(report)}</li>
      ))}
    </ul>
  )
}

/** A line of a list of issued reports: what it is of, who asked, how far it is. */
export function IssuedReport<R extends Issued>({ known, fresh, list, words, actions }: IssuedReportProps<R>) {
  const report = isUnderWay(known) && fresh ? fresh : known
  const isOver = isUnderWay(known) && !isUnderWay(report)
  useEffect(() => {
    if (isOver) void refetchCalls(list)
  }, [isOver, list])
  return (
    <div className={classes.issue}>
      <div>
        <b>{report.format.toUpperCase()}</b> {formatTime(report.period.from)} – {formatTime(report.period.to)}
        <div className={classes.note}>
          {formatTime(report.createdAt)}, {report.requestedBy}
          {report.state === 'ready' && ` · ${words.facts(report)}`}
        </div>
        <div className={classes.note}>
          <Suspense>
            <ContentsNote contents={report.contents} />
          </Suspense>
        </div>
      </div>
      <div className={classes.state}>
        {isUnderWay(report) ? (
          <Progress
            value={Math.max(4, report.progress)}
            w={110}
            aria-label={words.state({ ...report, state: 'building' })}
          />
        ) : (
          <span data-state={report.state}>{words.state(report)}</span>
        )}
        {report.failure && <div className={classes.note}>{words.failure(report.failure)}</div>}
      </div>
      {actions(report)}
    </div>
  )
}

/** Loads a file and hands it to the browser; `load` toasts what goes wrong. */
export function IssuedFile({ name, label, load }: { name: string; label: string; load: () => Promise<Blob> }) {
  const run = async () => download(await load(), name)
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={() => void run().catch(() => undefined)}>
        <IconDownload size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
