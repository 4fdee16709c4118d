-- Run once as root on the server's machine: sudo mariadb < accounts.sql
-- Put long random passwords in place of the three that are here.

-- The application: its own database, from its own network, nothing else.
CREATE DATABASE IF NOT EXISTS shop;
CREATE USER 'shop'@'10.1.%' IDENTIFIED VIA ed25519 USING PASSWORD('Change-me-1-application') REQUIRE SSL;
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO 'shop'@'10.1.%';

-- The monitor may see sessions, and no data.
CREATE USER 'exporter'@'localhost' IDENTIFIED VIA ed25519 USING PASSWORD('Change-me-2-monitor');
GRANT PROCESS, BINLOG MONITOR, REPLICA MONITOR ON *.* TO 'exporter'@'localhost';

-- Parapet, from the one address where it runs.
CREATE USER 'parapet'@'10.1.9.5' IDENTIFIED BY 'Change-me-3-parapet' REQUIRE SSL;
GRANT SELECT ON mysql.global_priv TO 'parapet'@'10.1.9.5';
GRANT SELECT ON mysql.roles_mapping TO 'parapet'@'10.1.9.5';
GRANT SELECT ON performance_schema.threads TO 'parapet'@'10.1.9.5';

-- What old installations left behind.
DROP USER IF EXISTS ''@'localhost';
DROP DATABASE IF EXISTS test;
