import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconMail } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Issue, IssuedKind, ReportChoice } from './issued-kind.ts'
import { usePrepared } from './use-prepared.ts'

const MailDialog = lazy(() => import('./mail-dialog.tsx').then(({ MailDialog }) => ({ default: MailDialog })))

interface ReportMenuProps<R extends Issue> {
  kind: IssuedKind<R>
  formats: readonly ReportFormat[]
  /** Whether a PDF may also list every reading. */
  hasReadings?: boolean
  isPrimary?: boolean
}

/** Builds a report and saves it as a file, or has it mailed. */
export function ReportMenu<R extends Issue>({
  kind,
  formats,
  hasReadings = false,
  isPrimary = false,
}: ReportMenuProps<R>) {
  const { t } = useTranslation('issued')
  const [isMailing, setIsMailing] = useState(false)
  const { progress, prepare } = usePrepared(kind)
  const choices = formats.flatMap((format): ReportChoice[] =>
    format === 'pdf' && hasReadings
      ? [
          { format, withReadings: false },
          { format, withReadings: true },
        ]
      : [{ format, withReadings: true }],
  )
  const nameOf = ({ format, withReadings }: ReportChoice) =>
    format === 'pdf' && hasReadings && withReadings ? t('pdfWithReadings') : format.toUpperCase()
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
            {progress === null ? t('download') : t('building', { progress })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((choice) => (
            <Menu.Item key={nameOf(choice)} onClick={() => void prepare(choice)}>
              {nameOf(choice)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconMail size={16} />} onClick={() => setIsMailing(true)}>
            {t('mail')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isMailing && (
        <Suspense>
          <MailDialog kind={kind} choices={choices} nameOf={nameOf} onClose={() => setIsMailing(false)} />
        </Suspense>
      )}
    </>
  )
}
