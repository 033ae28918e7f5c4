import {
  ChosenContents,
  ReportContents,
  type ReportFormat,
  refuseContents,
  reportFormats,
} from '@isotherm/contract/device-reports.ts'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import type { Chosen } from '../../ui/form/choose-many.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { ContentsField, FileLocaleField } from './contents-fields.tsx'
import type { Issue, IssuedKind, ReportChoice } from './issued-kind.ts'
import { RecipientsField, useSelfChosen } from './recipients-field.tsx'

interface ReportDialogProps<R extends Issue> {
  kind: IssuedKind<R>
  formats: readonly ReportFormat[]
  hasContents: boolean
  choiceOf: (format: ReportFormat) => ReportChoice
  /** Keeps the choice for the next time. */
  onChoose: (choice: ReportChoice) => void
  /** Builds and saves the file; null where the report is mailed. */
  download: ((choice: ReportChoice) => void) | null
  onClose: () => void
}

type Values = ReportChoice & { recipients: Chosen[] }

const orderFields = { format: z.enum(reportFormats), recipients: z.array(z.string()).min(1).max(20).optional() }
const OrderWithContents = z.object({ ...orderFields, contents: ChosenContents }).superRefine(refuseContents)
const Order = z.object({ ...orderFields, contents: z.array(ReportContents) })

/** Asks for contents and language of a report, and to whom it is mailed; who may not see the team mails it to themselves. */
export function ReportDialog<R extends Issue>({
  kind,
  formats,
  hasContents,
  choiceOf,
  onChoose,
  download,
  onClose,
}: ReportDialogProps<R>) {
  const { t } = useTranslation('issued')
  const self = useSelfChosen()
  const form = useEntityForm<Values, z.infer<typeof Order>, unknown>({
    initialValues: {
      ...choiceOf(formats[0] ?? 'pdf'),
      recipients: self,
    },
    schema: hasContents ? OrderWithContents : Order,
    toBody: ({ format, contents, recipients }) => ({
      ...{ format, contents },
      ...(!download && { recipients: recipients.map(({ id }) => id) }),
    }),
    save: async ({ recipients }, { format, contents, locale }) => {
      const choice = { format, contents, locale }
      onChoose(choice)
      return download ? download(choice) : kind.order(choice, recipients ?? [])
    },
    onSaved: (_, { recipients }) => {
      if (!download) {
        toastSuccess(t('mailed', { names: recipients.map(({ label }) => label).join(', ') }))
        void refetchCalls(kind.list)
      }
      onClose()
    },
  })
  const { fields } = form
  const values = fields.getValues()
  return (
    <FormDialog
      title={download ? kind.downloadTitle : kind.title}
      form={form}
      submitLabel={t(download ? 'download' : 'send')}
      onClose={onClose}
    >
      {formats.length > 1 && (
        <NativeSelect
          label={t('format')}
          data={formats.map((value) => ({ value, label: value.toUpperCase() }))}
          value={values.format}
          onChange={({ currentTarget }) => {
            const { format, contents } = choiceOf(formats.find((each) => each === currentTarget.value) ?? 'pdf')
            fields.setValues({ format, contents })
          }}
        />
      )}
      {hasContents && (
        <ContentsField
          format={values.format}
          value={values.contents}
          onChange={(contents) => fields.setFieldValue('contents', contents)}
          error={fields.errors.contents}
          data-path="contents"
        />
      )}
      <FileLocaleField {...fields.getInputProps('locale')} />
      {!download && (
        <RecipientsField
          chosen={values.recipients}
          onChange={(recipients) => fields.setFieldValue('recipients', recipients)}
          error={fields.errors.recipients}
        />
      )}
    </FormDialog>
  )
}
