import { type CsvImport, type CsvImportResult, csvLimits } from '@isotherm/contract/csv-import.ts'
import { Alert, Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../lib/call-error.ts'
import { csvTemplate } from '../../lib/csv-template.ts'
import { download } from '../../lib/download.ts'
import { textOf } from '../../lib/file-text.ts'
import { currentLocale } from '../../lib/i18n.ts'
import { toastError, toastSuccess } from '../../lib/toast.ts'
import { FaultList } from '../../ui/fault-list.tsx'
import { FileButton } from '../../ui/file-chooser.tsx'
import { useNarrow, usePhone } from '../../ui/use-phone.ts'

export interface ImportDialogProps {
  title: string
  /** The columns of a file, and a row to overwrite. */
  columns: readonly string[]
  example: Record<string, string>
  templateName: string
  send: (body: CsvImport) => Promise<CsvImportResult>
  onAdded: () => void
  onClose: () => void
}

/** Adds the rows of a file: first the server says what is wrong with them, then all are added. */
export function ImportDialog({ title, columns, example, templateName, send, onAdded, onClose }: ImportDialogProps) {
  const { t } = useTranslation('csvImport')
  const isPhone = usePhone()
  const { result, faults, isBusy, fileName, take, apply } = useImport(send, (rows) => {
    toastSuccess(t('added', { count: rows }))
    onAdded()
    onClose()
  })
  const isReady = result !== null && result.problems.length === 0
  const template = () => download(csvTemplate(columns, example, currentLocale()), templateName)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isPhone}
      title={title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('intro', { columns: columns.join(', ') })}</Text>
        <Group gap="sm">
          <FileButton
            label={t('file')}
            accept=".csv,text/csv,text/plain"
            variant={isReady ? 'default' : 'filled'}
            loading={isBusy}
            onFile={(file) => void take(file)}
          >
            {t(fileName ? 'chooseOther' : 'choose')}
          </FileButton>
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={template}>
            {t('template')}
          </Button>
        </Group>
        <Stack gap="xs" role="status">
          {fileName && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {fileName}
            </Text>
          )}
          {faults.map((fault) => (
            <Alert key={fault} color="red" variant="light">
              {fault}
            </Alert>
          ))}
          {result && <Outcome result={result} />}
        </Stack>
        {isReady && (
          <Group gap="sm">
            <Button loading={isBusy} onClick={() => void apply()}>
              {t('apply', { count: result.rows })}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

function Outcome({ result: { rows, problems, problemsLeftOut } }: { result: CsvImportResult }) {
  const { t } = useTranslation('csvImport')
  if (problems.length === 0) return <Text size="sm">{t('ready', { count: rows })}</Text>
  return (
    <Stack gap="xs">
      <Alert color="red" variant="light">
        {t('wrong')}
      </Alert>
      <Problems problems={problems} />
      {problemsLeftOut > 0 && <Text size="sm">{t('leftOut', { count: problemsLeftOut })}</Text>}
    </Stack>
  )
}

function Problems({ problems }: Pick<CsvImportResult, 'problems'>) {
  const { t } = useTranslation('csvImport')
  const isNarrow = useNarrow()
  if (isNarrow) {
    const faults = problems.map(({ row, column, message }) => ({
      where: [`${t('row')} ${row}`, column].filter(Boolean).join(' · '),
      message,
    }))
    return <FaultList faults={faults} label={t('problem')} />
  }
  return (
    <Table.ScrollContainer minWidth={0} mah={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('row')}</Table.Th>
            <Table.Th>{t('column')}</Table.Th>
            <Table.Th>{t('problem')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {problems.map(({ row, column, message }) => (
            <Table.Tr key={`${row} ${column} ${message}`}>
              <Table.Td>{row}</Table.Td>
              <Table.Td>{column}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The chosen file, and what the server says of it; what it says of the file as a whole are `faults`. */
function useImport(send: ImportDialogProps['send'], onApplied: (rows: number) => void) {
  const { t } = useTranslation('csvImport')
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const [result, setResult] = useState<CsvImportResult | null>(null)
  const [faults, setFaults] = useState<string[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const ask = async (csv: string, dryRun: boolean) => {
    setIsBusy(true)
    setFaults([])
    try {
      const answer = await send({ csv, dryRun })
      setResult(answer)
      if (answer.applied) onApplied(answer.rows)
    } catch (error) {
      setResult(null)
      // Other failures have been toasted.
      if (isCallError(error) && error.status === 422) setFaults(error.fields.csv ?? error.messages)
    } finally {
      setIsBusy(false)
    }
  }
  const take = async (chosen: File) => {
    if (chosen.size > csvLimits.bytes) return toastError(t('tooLarge'))
    const csv = textOf(await chosen.arrayBuffer())
    setFile({ name: chosen.name, csv })
    await ask(csv, true)
  }
  return { result, faults, isBusy, fileName: file?.name, take, apply: () => ask(file?.csv ?? '', false) }
}
