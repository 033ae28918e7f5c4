import { limitPresets } from '@isotherm/contract/device-limits.ts'
import { type Group, GroupChange, groups } from '@isotherm/contract/groups.ts'
import { shareLinks } from '@isotherm/contract/share-links.ts'
import { Button, Checkbox, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitsChange, valuesOf } from '../../features/devices/limit-values.ts'
import { LimitsFields } from '../../features/devices/parts/limits-fields.tsx'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { useRemoveGroup } from '../../features/groups/parts/use-remove-group.tsx'
import { VisibilityField } from '../../features/groups/parts/visibility-field.tsx'
import { refetchGroups } from '../../features/groups/refetch-groups.ts'
import { ShareSection } from '../../features/share-links/parts/share-section.tsx'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { EntityForm } from '../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import shared from '../overview.module.css'
import classes from './groups.module.css'

export const GroupSettingsPage = () => (
  <GroupFrame width="panels">{(group) => <Settings key={group.id} group={group} />}</GroupFrame>
)

const startOf = (group: Group) => ({
  name: group.name,
  visibility: group.visibility,
  own: group.limits !== null,
  limits: valuesOf(group.limits ?? limitPresets.refrigerated),
  applyLimits: false,
})

function Settings({ group }: { group: Group }) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const [mayLimit, mayShare] = [useCan('devices.addOrEdit'), useCan(shareLinks.shareGroup)]
  const remove = useRemoveGroup()
  const [start, setStart] = useState(() => startOf(group))
  const form = useEntityForm({
    initialValues: start,
    schema: GroupChange,
    toBody: ({ name, visibility, own, limits, applyLimits }): GroupChange => ({
      ...(name === start.name ? {} : { name }),
      ...(visibility === start.visibility ? {} : { visibility }),
      limits: own ? limitsChange(limits) : null,
      applyLimits: own && applyLimits,
    }),
    save: (body) => call(groups.change, { params: { id: group.id }, body }),
    onSaved: (_, values) => {
      const next = { ...values, applyLimits: false }
      setStart(next)
      form.startFrom(next)
      toastSuccess(t('saved'))
      void refetchGroups()
    },
  })
  const values = form.fields.getValues()
  return (
    <div className={shared.stack}>
      <Paper className={`${shared.panel} ${classes.padded}`}>
        <EntityForm form={form} submitLabel={t('settings.save')} label={t('tabs.settings')}>
          <TextInput label={t('fields.name')} maxLength={80} {...form.fields.getInputProps('name')} />
          <VisibilityField {...form.fields.getInputProps('visibility')} />
          <Stack gap="xs">
            <Switch
              label={t('settings.own')}
              description={t('settings.limitsHelp')}
              {...form.fields.getInputProps('own', { type: 'checkbox' })}
            />
            {values.own && (
              <>
                <LimitsFields
                  values={values.limits}
                  onChange={(limits) => form.fields.setValues({ limits })}
                  errors={form.fields.errors}
                />
                {mayLimit && group.deviceCount > 0 && (
                  <Checkbox
                    label={t('settings.apply', { count: group.deviceCount })}
                    {...form.fields.getInputProps('applyLimits', { type: 'checkbox' })}
                  />
                )}
              </>
            )}
          </Stack>
        </EntityForm>
      </Paper>
      {mayShare && <ShareSection subject={{ kind: 'group', id: group.id, name: group.name }} />}
      <Paper className={`${shared.panel} ${classes.padded}`} component="section" aria-label={t('settings.delete')}>
        <Stack gap="sm" align="flex-start">
          <Title order={2}>{t('settings.delete')}</Title>
          <Text size="sm" c="dimmed">
            {t('delete.text')}
          </Text>
          <Button
            variant="default"
            c="var(--state-warm)"
            leftSection={<IconTrash size={16} />}
            onClick={() => remove(group, () => navigate({ to: '/groups', ignoreBlocker: true }))}
          >
            {t('settings.delete')}
          </Button>
        </Stack>
      </Paper>
    </div>
  )
}
