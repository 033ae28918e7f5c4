import type { AdditionKind } from '@isotherm/contract/records.ts'
import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

const kinds: AdditionKind[] = ['addendum', 'part']

interface AdditionDialogProps {
  signers: readonly string[]
  /** The addition that is to be made. */
  add: (kind: AdditionKind) => Promise<unknown>
  onClose: () => void
}

/** Asks, where a record is signed, whether what is added is an addendum or voids the signatures. */
export function AdditionDialog({ signers, add, onClose }: AdditionDialogProps) {
  const { t } = useTranslation('records')
  const form = useEntityForm({
    initialValues: { kind: 'addendum' as AdditionKind },
    required: [],
    toBody: ({ kind }) => kind,
    save: add,
    onSaved: onClose,
  })
  const labels = { addendum: t('addendum.asAddendum'), part: t('addendum.asPart', { names: signers.join(', ') }) }
  return (
    <FormDialog title={t('addendum.title')} form={form} submitLabel={t('addendum.action')} onClose={onClose}>
      <Radio.Group label={t('addendum.text')} {...form.fields.getInputProps('kind')}>
        <Stack mt="xs" gap="xs">
          {kinds.map((kind) => (
            <Radio key={kind} value={kind} label={labels[kind]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}
