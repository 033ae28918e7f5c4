-- compatible: yes
-- What a device answered is asked for by device: of silent devices by the sweep of the alarms, of those with open sessions, and with each answer.
create index device_commands_of_device on device_commands (company_id, device_id, kind);
