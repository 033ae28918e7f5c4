import type { BulkFault, BulkKindName, BulkUpload } from '@isotherm/contract/bulk-uploads.ts'
import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { formatTime } from '../../../lib/times.ts'
import { FaultList } from '../../../ui/fault-list.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import { useNarrow } from '../../../ui/use-phone.ts'
import type { UploadCalls } from '../use-upload.ts'
import classes from './uploads.module.css'

interface UploadOutcomeProps {
  upload: BulkUpload
  calls: UploadCalls
  name: BulkKindName
}

/** The outcome of a file: how its rows are understood, what is wrong, or what was added. */
export function UploadOutcome({ upload, calls, name }: UploadOutcomeProps) {
  const { t } = useTranslation('bulkUploads')
  const count = upload.rows ?? 0
  const { state, first, last } = upload
  if (state === 'failed')
    return (
      <Alert color="red" variant="light">
        {t('failed')}
      </Alert>
    )
  if (state === 'stored')
    return (
      <Stack gap="sm">
        <Alert color="green" variant="light">
          {first === null
            ? t('added', { count })
            : t('stored', { count, numbers: first === last ? first : `${first} – ${last}` })}
          <Together upload={upload} name={name} />
        </Alert>
        <Warnings upload={upload} />
      </Stack>
    )
  return (
    <Stack gap="sm">
      {state === 'ready' ? (
        <Text size="sm" fw={600}>
          {t('ready', { count })}
          <Together upload={upload} name={name} />
        </Text>
      ) : (
        <Alert color="red" variant="light">
          {t('wrong', { count: upload.errorCount })}
        </Alert>
      )}
      <Source upload={upload} />
      {state === 'refused' && <Faults upload={upload} calls={calls} name={name} />}
      <Warnings upload={upload} />
      <Preview preview={upload.preview} />
    </Stack>
  )
}

/** How many things its rows are, where several rows are one. */
function Together({ upload: { rows, makes }, name }: Pick<UploadOutcomeProps, 'upload' | 'name'>) {
  const { t } = useTranslation('bulkUploads')
  if (makes === null || makes === rows) return null
  return <> {t(`together.${name}`, { count: makes })}</>
}

function Source({ upload: { source, storedBefore } }: Pick<UploadOutcomeProps, 'upload'>) {
  const { t } = useTranslation('bulkUploads')
  const said = source && [
    ...(source.sheet ? [t('sheet', { sheet: source.sheet })] : []),
    ...(source.otherSheets > 0 ? [t('otherSheets', { count: source.otherSheets })] : []),
    ...(source.hiddenRows > 0 ? [t('hidden', { count: source.hiddenRows })] : []),
    ...(source.encoding && source.encoding !== 'UTF-8' ? [t('encoding', { encoding: source.encoding })] : []),
  ]
  return (
    <>
      {storedBefore && (
        <Alert color="yellow" variant="light">
          {t('before', { time: formatTime(storedBefore) })}
        </Alert>
      )}
      {said && said.length > 0 && (
        <Text size="xs" c="dimmed">
          {said.join(' ')}
        </Text>
      )}
    </>
  )
}

function Faults({ upload, calls, name }: UploadOutcomeProps) {
  const { t } = useTranslation('bulkUploads')
  const { id, errors, errorCount, hasMarkedBook } = upload
  const load = async () => {
    try {
      download(await call(calls.marked, { params: { id } }, { toastAll: true }), `${name}-${id}.xlsx`)
    } catch {
      // The call has toasted it.
    }
  }
  return (
    <>
      <FaultRows errors={errors} label={t('faults')} told={t('fault')} />
      {errorCount > errors.length && <Text size="sm">{t('leftOut', { count: errorCount - errors.length })}</Text>}
      {hasMarkedBook && (
        <Button
          className={classes.marked}
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => void load()}
        >
          {t('markedBook')}
        </Button>
      )}
    </>
  )
}

/** Rows that may be copies. */
function Warnings({ upload: { warnings, warningCount, state } }: Pick<UploadOutcomeProps, 'upload'>) {
  const { t } = useTranslation('bulkUploads')
  if (warningCount === 0) return null
  // A row may have several warnings. Beyond those that are listed nobody knows whose they are.
  const count = warnings.length === warningCount ? new Set(warnings.map(({ row }) => row)).size : warningCount
  return (
    <>
      <Alert color="yellow" variant="light">
        {t(state === 'stored' ? 'copiesAdded' : 'copies', { count })}
      </Alert>
      <FaultRows errors={warnings} label={t('warnings')} told={t('warning')} />
    </>
  )
}

interface FaultRowsProps {
  errors: readonly BulkFault[]
  label: string
  /** The heading of the messages. */
  told: string
}

function FaultRows(props: FaultRowsProps) {
  const isNarrow = useNarrow()
  return isNarrow ? <Faulty {...props} /> : <FaultTable {...props} />
}

const keyOf = ({ row, column, code }: BulkFault) => `${row} ${column} ${code}`

function FaultTable({ errors, label, told }: FaultRowsProps) {
  const { t } = useTranslation('bulkUploads')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
    <section className={classes.faults} aria-label={label} tabIndex={0}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('row')}</Table.Th>
            <Table.Th>{t('column')}</Table.Th>
            <Table.Th>{t('value')}</Table.Th>
            <Table.Th>{told}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.map((fault) => (
            <Table.Tr key={keyOf(fault)}>
              <Table.Td>{fault.row ?? t('wholeFile')}</Table.Td>
              <Table.Td>{fault.heading}</Table.Td>
              <Table.Td className={classes.value}>{fault.value}</Table.Td>
              <Table.Td>{fault.message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function Faulty({ errors, label }: FaultRowsProps) {
  const { t } = useTranslation('bulkUploads')
  const faults = errors.map(({ row, heading, value, message }) => {
    const place = row === null ? t('wholeFile') : `${t('row')} ${row}`
    return { where: [place, heading].filter(Boolean).join(' · '), value: value ?? undefined, message }
  })
  return <FaultList faults={faults} label={label} />
}

function Preview({ preview }: Pick<BulkUpload, 'preview'>) {
  const { t } = useTranslation('bulkUploads')
  if (!preview || preview.rows.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {t('preview')}
      </Text>
      <Sideways label={t('preview')}>
        <Table fz="xs" className={classes.preview}>
          <Table.Thead>
            <Table.Tr>
              {preview.headings.map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have nothing else, and do not move
              <Table.Tr key={row}>
                {preview.headings.map((heading, at) => (
                  <Table.Td key={heading}>
                    {cells[at]}
                    <InFile text={preview.inFile[row]?.[at] ?? null} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
    </div>
  )
}

/** The text of a cell of which something else was made. */
function InFile({ text }: { text: string | null }) {
  const { t } = useTranslation('bulkUploads')
  if (text === null) return null
  return (
    <Text size="xs" c="dimmed">
      {text === '' ? t('notInFile') : t('inFile', { text })}
    </Text>
  )
}
