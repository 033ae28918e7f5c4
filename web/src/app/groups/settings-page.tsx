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
import { differing, saveChange } from '../../lib/save-change.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { EntityForm } from '../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { useFollowed } from '../../ui/form/use-followed.ts'
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

type Values = ReturnType<typeof startOf>

const bodyOf = ({ name, visibility, own, limits }: Values): Pick<GroupChange, 'name' | 'visibility' | 'limits'> => ({
  name,
  visibility,
  limits: own ? limitsChange(limits) : null,
})

function Settings({ group }: { group: Group }) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const [mayLimit, mayShare] = [useCan('devices.addOrEdit'), useCan(shareLinks.shareGroup)]
  const remove = useRemoveGroup()
  // As the form shows it: pushes go on changing `group` under it.
  const [seen, setSeen] = useState(group)
  const form = useEntityForm({
    initialValues: startOf(seen),
    schema: GroupChange,
    toBody: (values): GroupChange => ({
      ...differing(bodyOf(startOf(seen)), bodyOf(values)),
      applyLimits: values.own && values.applyLimits,
    }),
    save: ({ applyLimits, ...change }, { own, limits }) => {
      const params = { id: group.id }
      return saveChange({
        seen,
        // The devices get the limits on the screen, whoever changed the group meanwhile.
        change: applyLimits && own ? { ...change, limits: limitsChange(limits) } : change,
        bodyOf: (now: Group) => bodyOf(startOf(now)),
        load: () => call(groups.one, { params }),
        send: (body, how) => call(groups.change, { params, body: { ...body, applyLimits } }, how),
        onRefused: (now) => follow(now, seen),
      })
    },
    onSaved: (saved) => {
      follow(saved)
      toastSuccess(t('saved'))
      void refetchGroups()
    },
  })
  const follow = (now: Group, former?: Group) => {
    setSeen(now)
    form.startFrom(startOf(now), former && startOf(former))
  }
  useFollowed({ thing: group, seen, isUnsaved: form.isUnsaved, follow })
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
