/**
 * Functions and constructs of GoogleSQL: a name, the SELECT list of a query over all rows of the busy project, and the
 * same by someone who knows DuckDB. Aggregates keep the results small. In a pair of expressions `$path` and the like
 * are columns of both sides.
 */
export const functionCalls: readonly (readonly [what: string, googleSql: string, byHand: string])[] = [
  // Texts
  [
    'INITCAP',
    'max(initcap($method)), count(distinct initcap($path))',
    `max(upper(left($method, 1)) || lower(substr($method, 2))),
    count(DISTINCT list_aggregate(list_transform(
      regexp_extract_all($path, '[a-z0-9]+|[^a-z0-9]+'),
      lambda x: upper(left(x, 1)) || lower(substr(x, 2))), 'string_agg', ''))`,
  ],
  [
    'UPPER, LOWER',
    'max(upper($message)), max(lower($message))',
    'max(upper($message)), max(lower($message))',
  ],
  ['SUBSTR', 'max(substr($message, 20, 30))', 'max(substr($message, 20, 30))'],
  ['LEFT, RIGHT', 'max(left($message, 9)), max(right($message, 9))', 'max($message[:9]), max($message[-9:])'],
  ['STRPOS', "sum(strpos($message, 'Firefox'))", "sum(strpos($message, 'Firefox'))::BIGINT"],
  [
    'INSTR',
    "sum(instr($message, 'o', 1, 2))",
    `sum(CASE WHEN strpos($message, 'o') = 0 OR strpos(substr($message, strpos($message, 'o') + 1), 'o') = 0 THEN 0
      ELSE strpos($message, 'o') + strpos(substr($message, strpos($message, 'o') + 1), 'o') END)::BIGINT`,
  ],
  ['LENGTH', 'sum(length($message))', 'sum(length($message))::BIGINT'],
  ['CONCAT', "max(concat($method, ' ', $path))", "max($method || ' ' || $path)"],
  ['REPLACE', "max(replace($message, '|', ';'))", "max(replace($message, '|', ';'))"],
  ['TRIM', "max(trim($path, '/'))", "max(trim($path, '/'))"],
  ['LPAD', "max(lpad($path, 60, '-'))", "max(lpad($path, 60, '-'))"],
  ['REVERSE', 'max(reverse($path))', 'max(reverse($path))'],
  ['SPLIT', "max(split($message, ' | ')[offset(1)])", "max(split($message, ' | ')[2])"],
  ['LIKE', "countif($message like '%GET%200%')", "count(*) FILTER ($message LIKE '%GET%200%')"],
  ['STARTS_WITH', "countif(starts_with($path, '/rest'))", "count(*) FILTER (starts_with($path, '/rest'))"],
  [
    'CONTAINS_SUBSTR',
    "countif(contains_substr($path, 'REST'))",
    "count(*) FILTER (contains(lower($path), 'rest'))",
  ],
  [
    'FORMAT',
    "max(format('%s %d %05d', $path, $status, $ms))",
    "max(printf('%s %d %05d', $path, $status, $ms))",
  ],
  ['TO_HEX of MD5', 'max(to_hex(md5($id)))', 'max(md5($id))'],
  ['TO_HEX of SHA256', 'max(to_hex(sha256($id)))', 'max(sha256($id))'],
  ['FARM_FINGERPRINT', 'count(distinct farm_fingerprint($id))', 'count(DISTINCT hash($id))'],
  ['TO_BASE64', 'max(to_base64(cast($path as bytes)))', 'max(to_base64(encode($path)))'],
  ['NORMALIZE', 'max(normalize($path))', 'max(nfc_normalize($path))'],
  // Regular expressions
  [
    'REGEXP_CONTAINS',
    "countif(regexp_contains($message, r'GET \\| [45]\\d\\d'))",
    "count(*) FILTER (regexp_matches($message, 'GET \\| [45]\\d\\d'))",
  ],
  [
    'REGEXP_EXTRACT',
    "max(regexp_extract($message, r'(\\d+\\.\\d+)\\.'))",
    "max(nullif(regexp_extract($message, '(\\d+\\.\\d+)\\.', 1), ''))",
  ],
  [
    'REGEXP_EXTRACT_ALL',
    "sum(array_length(regexp_extract_all($message, r'\\d+')))",
    "sum(len(regexp_extract_all($message, '\\d+')))::BIGINT",
  ],
  [
    'REGEXP_REPLACE',
    "max(regexp_replace($path, r'\\d+', '#'))",
    "max(regexp_replace($path, '\\d+', '#', 'g'))",
  ],
  [
    'REGEXP_INSTR',
    "sum(regexp_instr($message, r'\\d+\\.'))",
    `sum(CASE WHEN regexp_matches($message, '\\d+\\.')
      THEN strpos($message, regexp_extract($message, '\\d+\\.')) ELSE 0 END)::BIGINT`,
  ],
  [
    'REGEXP_SUBSTR',
    "max(regexp_substr($message, r'https://[^/]+'))",
    "max(nullif(regexp_extract($message, 'https://[^/]+'), ''))",
  ],
  // Dates and times
  [
    'TIMESTAMP_TRUNC',
    'count(distinct timestamp_trunc($time, hour))',
    "count(DISTINCT date_trunc('hour', $time))",
  ],
  [
    'TIMESTAMP_TRUNC with a time zone',
    "count(distinct timestamp_trunc($time, day, 'America/New_York'))",
    `count(DISTINCT date_trunc('day', ($time AT TIME ZONE 'UTC') AT TIME ZONE 'America/New_York')
      AT TIME ZONE 'America/New_York')`,
  ],
  [
    'TIMESTAMP_BUCKET',
    'count(distinct timestamp_bucket($time, interval 15 minute))',
    "count(DISTINCT time_bucket(INTERVAL '15 minutes', $time))",
  ],
  ['DATE', 'max(date($time))', 'max($time::DATE)'],
  ['EXTRACT', 'sum(extract(hour from $time))', 'sum(hour($time))::BIGINT'],
  [
    'EXTRACT at a time zone',
    "sum(extract(hour from $time at time zone 'Europe/Berlin'))",
    "sum(hour(($time AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Berlin'))::BIGINT",
  ],
  [
    'TIMESTAMP_DIFF',
    "sum(timestamp_diff($time, timestamp '2026-01-01', minute))",
    "sum((epoch_us($time) - epoch_us(TIMESTAMP '2026-01-01')) // 60000000)::BIGINT",
  ],
  [
    'DATE_DIFF',
    "sum(date_diff(date($time), date '2026-01-01', week))",
    `sum(datediff('day',
      DATE '2026-01-01' - dayofweek(DATE '2026-01-01')::INT, $time::DATE - dayofweek($time::DATE)::INT) // 7)::BIGINT`,
  ],
  ['TIMESTAMP_SUB', 'max(timestamp_sub($time, interval 5 minute))', "max($time - INTERVAL '5 minutes')"],
  [
    'FORMAT_TIMESTAMP',
    "max(format_timestamp('%Y-%m-%d %H:%M', $time))",
    "max(strftime($time, '%Y-%m-%d %H:%M'))",
  ],
  [
    'FORMAT_TIMESTAMP with seconds in parts',
    "max(format_timestamp('%Y-%m-%dT%H:%M:%E3SZ', $time))",
    "max(strftime($time, '%Y-%m-%dT%H:%M:%S.%gZ'))",
  ],
  [
    'PARSE_TIMESTAMP',
    "max(parse_timestamp('%Y-%m-%d %H:%M', format_timestamp('%Y-%m-%d %H:%M', $time)))",
    "max(strptime(strftime($time, '%Y-%m-%d %H:%M'), '%Y-%m-%d %H:%M'))",
  ],
  [
    'CAST of TIMESTAMP to STRING',
    'max(cast($time as string))',
    "max(CASE WHEN epoch_us($time) % 1000 = 0 THEN strftime($time, '%Y-%m-%d %H:%M:%S.%g') ELSE $time::VARCHAR END || '+00')",
  ],
  [
    'CAST of STRING to TIMESTAMP',
    "max(cast(format_timestamp('%Y-%m-%d %H:%M:%S', $time) as timestamp))",
    "max(CAST(strftime($time, '%Y-%m-%d %H:%M:%S') AS TIMESTAMP))",
  ],
  ['UNIX_MILLIS', 'sum(unix_millis($time))', 'sum(epoch_ms($time))::BIGINT'],
  // Numbers
  ['CAST of INT64 to STRING', 'max(cast($ms as string))', 'max($ms::VARCHAR)'],
  [
    'SAFE_CAST',
    "sum(safe_cast(split($message, ' | ')[offset(1)] as int64))",
    "sum(TRY_CAST(split($message, ' | ')[2] AS BIGINT))::BIGINT",
  ],
  ['ROUND', 'max(round($ms / 7, 2))', 'max(round($ms / 7, 2))'],
  ['SAFE_DIVIDE', 'max(safe_divide($ms, $status))', 'max($ms / nullif($status, 0))'],
  ['DIV, MOD', 'sum(div($ms, 7) + mod($ms, 7))', 'sum($ms // 7 + $ms % 7)::BIGINT'],
  ['SUM of INT64', 'sum($ms)', 'sum($ms)::BIGINT'],
  ['SUM of FLOAT64', 'round(sum($ms / 3), 2)', 'round(sum($ms / 3), 2)'],
  ['AVG of INT64', 'round(avg($ms), 6)', 'round(avg($ms), 6)'],
  ['SUM of NUMERIC', 'sum(cast($ms as numeric))', 'sum($ms::DECIMAL(38, 9))'],
  [
    'AVG of NUMERIC',
    'round(avg(cast($ms as numeric)), 3)',
    'round(avg($ms::DECIMAL(38, 9)), 3)::DECIMAL(38, 9)',
  ],
  ['VAR_SAMP of FLOAT64', 'round(var_samp($ms / 3), 3)', 'round(var_samp($ms / 3), 3)'],
  ['STDDEV of INT64', 'round(stddev($ms), 3)', 'round(stddev($ms), 3)'],
  ['VAR_SAMP of NUMERIC', 'round(var_samp(cast($ms as numeric)), 3)', 'round(var_samp($ms), 3)'],
  ['CORR of FLOAT64', 'round(corr($ms / 3, $status / 7), 6)', 'round(corr($ms / 3, $status / 7), 6)'],
  [
    'CORR of NUMERIC',
    'round(corr(cast($ms as numeric), cast($status as numeric)), 6)',
    'round(corr($ms, $status), 6)',
  ],
  // Aggregates
  ['COUNT(DISTINCT)', 'count(distinct $path)', 'count(DISTINCT $path)'],
  ['APPROX_COUNT_DISTINCT', 'approx_count_distinct($path)', 'count(DISTINCT $path)'],
  ['APPROX_QUANTILES with OFFSET', 'approx_quantiles($ms, 100)[offset(95)]', 'quantile_disc($ms, 0.95)'],
  [
    'APPROX_QUANTILES',
    'approx_quantiles($ms, 4)[offset(2)], approx_quantiles($ms, 4)[offset(3)]',
    'quantile_disc($ms, 0.5), quantile_disc($ms, 0.75)',
  ],
  ['HLL_COUNT', 'hll_count.extract(hll_count.init($status)) > 0', 'approx_count_distinct($status) > 0'],
  ['ANY_VALUE with HAVING MAX', 'any_value($id having max $time)', 'arg_max($id, $time)'],
  [
    'ARRAY_AGG with ORDER BY and LIMIT',
    'array_agg($id order by $time desc limit 5)',
    'max_by($id, $time, 5)',
  ],
  ['STRING_AGG', "length(string_agg($method, ','))", "length(string_agg($method, ','))"],
  [
    'STRING_AGG with LIMIT',
    "length(string_agg($method, ',' limit 100)) > 0",
    "length(array_to_string(list($method)[:100], ',')) > 0",
  ],
  [
    'STRING_AGG with DISTINCT',
    "length(string_agg(distinct $method, ','))",
    "length(string_agg(DISTINCT $method, ','))",
  ],
  ['MAX_BY', 'max_by($id, $time)', 'max_by($id, $time)'],
  ['BIT_XOR', 'bit_xor($ms)', 'bit_xor($ms)'],
  ['LOGICAL_OR', 'logical_or($status > 500)', 'bool_or($status > 500)'],
  // JSON
  [
    'JSON_VALUE',
    `max(json_value(concat('{"a": {"b": "', $path, '"}}'), '$.a.b'))`,
    `max(json_extract_string('{"a": {"b": "' || $path || '"}}', '$.a.b'))`,
  ],
  [
    'JSON_QUERY',
    `max(json_query(concat('{"a": {"b": "', $path, '"}}'), '$.a'))`,
    `max(json_extract('{"a": {"b": "' || $path || '"}}', '$.a')::VARCHAR)`,
  ],
  [
    'TO_JSON_STRING',
    'max(to_json_string(struct($path as path, $ms as ms)))',
    'max(to_json({path: $path, ms: $ms})::VARCHAR)',
  ],
  // Others
  ['NET.HOST', 'max(net.host($url))', "max(regexp_extract($url, '^[^/]*//([^/:]+)', 1))"],
  [
    'NET.IP_FROM_STRING',
    "max(to_hex(net.safe_ip_from_string(regexp_extract($message, r'\\d+\\.\\d+\\.\\d+\\.\\d+'))))",
    `max(array_to_string(list_transform(
      split(regexp_extract($message, '\\d+\\.\\d+\\.\\d+\\.\\d+'), '.'), lambda x: printf('%02x', x::INT)), ''))`,
  ],
  [
    'COALESCE, IF',
    "countif(if($ms > 100, coalesce($path, ''), $method) = 'GET')",
    "count(*) FILTER (CASE WHEN $ms > 100 THEN coalesce($path, '') ELSE $method END = 'GET')",
  ],
  [
    'RANGE_BUCKET',
    'sum(range_bucket($ms, [0, 10, 100, 1000]))',
    `sum(CASE WHEN $ms < 0 THEN 0 WHEN $ms < 10 THEN 1
      WHEN $ms < 100 THEN 2 WHEN $ms < 1000 THEN 3 ELSE 4 END)::BIGINT`,
  ],
  ['GREATEST', 'sum(greatest($ms, $status))', 'sum(greatest($ms, $status))::BIGINT'],
  ['GENERATE_UUID', 'count(distinct generate_uuid())', 'count(DISTINCT uuid())'],
];
