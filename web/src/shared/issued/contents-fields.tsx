import {
  maxReadingsInWorkbook,
  type ReportContents,
  type ReportFormat,
  reportContents,
  tablesAmong,
} from '@isotherm/contract/device-reports.ts'
import { Checkbox, type CheckboxGroupProps, Group, NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { languageNames, localeNames } from '../../lib/languages.ts'
import { formatNumber } from '../../lib/numbers.ts'

interface ContentsFieldProps extends Omit<CheckboxGroupProps<ReportContents>, 'children' | 'value' | 'onChange'> {
  value: ReportContents[]
  onChange: (contents: ReportContents[]) => void
  /** The format where there is one file: a CSV has one table, and only a PDF has charts. */
  format?: ReportFormat
}

/** The contents of a report. Alarms are offered to those who see them. */
export function ContentsField({ value, onChange, format, ...field }: ContentsFieldProps) {
  const { t } = useTranslation('reports')
  const seesAlarms = useCan('alarms.view')
  const seen = reportContents.filter((each) => each !== 'alarms' || seesAlarms || value.includes(each))
  const offered = format === undefined || format === 'pdf' ? seen : tablesAmong(seen)
  if (format === 'csv')
    return (
      <NativeSelect
        label={t('form.table')}
        error={field.error}
        data-path="contents"
        data={offered.map((each) => ({ value: each, label: t(`contents.${each}`) }))}
        value={value[0] ?? ''}
        onChange={({ currentTarget }) => onChange(offered.filter((each) => each === currentTarget.value))}
      />
    )
  return (
    <Checkbox.Group
      label={t('fields.contents')}
      description={format === 'xlsx' && value.includes('readings') && <WorkbookNote />}
      {...field}
      value={value}
      onChange={onChange}
    >
      <Group gap="8px 18px" mt={6}>
        {offered.map((each) => (
          <Checkbox key={each} value={each} label={t(`contents.${each}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

/** A workbook of very many readings has no other sheets. */
export function WorkbookNote() {
  const { t } = useTranslation('reports')
  return t('form.workbook', { number: formatNumber(maxReadingsInWorkbook) })
}

/** The language of a report's files. */
export function FileLocaleField(props: NativeSelectProps) {
  const { t } = useTranslation('reports')
  return (
    <NativeSelect
      label={t('form.locale')}
      data={localeNames.map((value) => ({ value, label: languageNames[value] }))}
      {...props}
    />
  )
}
