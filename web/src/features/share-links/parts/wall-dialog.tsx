import { type NewShareLink, shareLimits, shareLinks, WallScreen } from '@isotherm/contract/share-links.ts'
import { Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useGroupChoices } from '../../../shared/group-choices.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchLinks } from '../subject.ts'

const hours = [24, 168, 720, 8760] as const

/** Makes the link of a wall screen. */
export function WallDialog({ onMade, onClose }: { onMade: (link: NewShareLink) => void; onClose: () => void }) {
  const { t } = useTranslation('shareLinks')
  const groups = useGroupChoices()
  const form = useEntityForm({
    initialValues: { label: '', groupIds: [] as string[], hours: '', showsPrivate: false },
    schema: WallScreen,
    toBody: (values) => ({ ...values, hours: values.hours === '' ? null : Number(values.hours) }),
    save: (body) => call(shareLinks.addWall, { body }),
    onSaved: (link) => {
      void refetchLinks()
      onMade(link)
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('wall.add')} form={form} submitLabel={t('wall.submit')} onClose={onClose}>
      <TextInput label={t('fields.name')} data-autofocus maxLength={80} {...getInputProps('label')} />
      <MultiSelect
        label={t('fields.groups')}
        description={t('fields.groupsHelp')}
        data={groups}
        maxValues={shareLimits.wallGroups}
        searchable
        clearable
        nothingFoundMessage={t('common:form.nothingFound')}
        {...getInputProps('groupIds')}
      />
      <NativeSelect
        label={t('fields.hours')}
        data={[
          { value: '', label: t('hours.none') },
          ...hours.map((value) => ({ value: String(value), label: t(`hours.${value}`) })),
        ]}
        {...getInputProps('hours')}
      />
      <Checkbox label={t('fields.showsPrivate')} {...getInputProps('showsPrivate', { type: 'checkbox' })} />
    </FormDialog>
  )
}
