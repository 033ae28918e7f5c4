import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { Button, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconChevronDown, IconDownload, IconMail } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContentsNote } from './contents-note.tsx'
import classes from './issued.module.css'
import type { Issue, IssuedKind } from './issued-kind.ts'
import { hasContents, type ReportSubject, useReportChoice } from './report-choice.ts'
import { usePrepared } from './use-prepared.ts'

const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })))

interface ReportMenuProps<R extends Issue> {
  kind: IssuedKind<R>
  subject: ReportSubject
  formats: readonly ReportFormat[]
  isPrimary?: boolean
  /** The words of the button, if not "Download". */
  label?: string
}

/** Builds a report with the contents chosen last and saves it as a file; the contents can be chosen, and it can be mailed. */
export function ReportMenu<R extends Issue>({ kind, subject, formats, isPrimary = false, label }: ReportMenuProps<R>) {
  const { t } = useTranslation('issued')
  const [asked, setAsked] = useState<'download' | 'mail' | null>(null)
  const { choiceOf, keep } = useReportChoice(subject)
  const { progress, prepare } = usePrepared(kind)
  return (
    <>
      <Menu position="bottom-end" disabled={progress !== null}>
        <Menu.Target>
          <Button
            variant={isPrimary ? 'filled' : 'default'}
            leftSection={<IconDownload size={16} />}
            rightSection={<IconChevronDown size={14} />}
            data-busy={progress !== null || undefined}
            aria-busy={progress !== null}
          >
            {progress === null ? (label ?? t('download')) : t('building', { progress })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format} aria-label={format.toUpperCase()} onClick={() => void prepare(choiceOf(format))}>
              {format.toUpperCase()}
              <Suspense>
                <div className={classes.note}>
                  <ContentsNote {...choiceOf(format)} />
                </div>
              </Suspense>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={() => setAsked('download')}>
            {t(hasContents(subject) ? 'contents' : 'language')}
          </Menu.Item>
          <Menu.Item leftSection={<IconMail size={16} />} onClick={() => setAsked('mail')}>
            {t('mail')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {asked && (
          <ReportDialog
            kind={kind}
            formats={formats}
            hasContents={hasContents(subject)}
            choiceOf={choiceOf}
            onChoose={keep}
            download={asked === 'download' ? (choice) => void prepare(choice) : null}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  )
}
