-- compatible: yes
-- No API key invites, changes or removes people: the keys that could lose that permission.
update api_keys set permissions = jsonb_set(permissions, '{users,addOrEdit}', 'false')
  where (permissions #>> '{users,addOrEdit}')::boolean;
