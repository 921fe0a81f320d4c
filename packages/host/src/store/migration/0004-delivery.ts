// Deliveries are found by their id. By seq only `ledger gc` asks for them, and it can read them all: every event paid for that index.

export const deliveryMigration = 'DROP INDEX deliveries_seq;'
