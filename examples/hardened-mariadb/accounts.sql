-- Run once as root on the server: sudo mariadb < accounts.sql
-- Replace the three passwords with long random ones.

-- The application: only its own database, only from its network.
CREATE DATABASE IF NOT EXISTS shop;
CREATE USER 'shop'@'10.1.%' IDENTIFIED VIA ed25519 USING PASSWORD('Change-me-1-application') REQUIRE SSL;
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO 'shop'@'10.1.%';

-- Monitoring: sessions, but no data.
CREATE USER 'exporter'@'localhost' IDENTIFIED VIA ed25519 USING PASSWORD('Change-me-2-monitor');
GRANT PROCESS, BINLOG MONITOR, REPLICA MONITOR ON *.* TO 'exporter'@'localhost';

-- Parapet, only from the address of its host.
CREATE USER 'parapet'@'10.1.9.5' IDENTIFIED BY 'Change-me-3-parapet' REQUIRE SSL;
GRANT SELECT ON mysql.global_priv TO 'parapet'@'10.1.9.5';
GRANT SELECT ON mysql.roles_mapping TO 'parapet'@'10.1.9.5';
GRANT SELECT ON mysql.db TO 'parapet'@'10.1.9.5';
GRANT SELECT ON mysql.tables_priv TO 'parapet'@'10.1.9.5';
GRANT SELECT ON mysql.proxies_priv TO 'parapet'@'10.1.9.5';
GRANT SELECT ON performance_schema.threads TO 'parapet'@'10.1.9.5';

-- Leftovers of older installations.
DROP USER IF EXISTS ''@'localhost';
DROP DATABASE IF EXISTS test;
