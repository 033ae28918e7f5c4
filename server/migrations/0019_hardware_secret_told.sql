-- A tracker whose secret was changed is cut from the broker: who holds the old secret must not go on.
create trigger hardware_secret_told after update on hardware for each row
  when (old.secret_hash is distinct from new.secret_hash) execute function announce_assignment();
