-- count of rows by column
SELECT
  "t5"."position",
  CAST(SUM("t5"."times") AS VARCHAR) AS "times"
FROM (
  SELECT
    "t4"."key0",
    "t4"."times",
    "t2"."value",
    "t2"."position"
  FROM (
    SELECT
      "t0"."c1" AS "key0",
      1 AS "times"
    FROM (
      SELECT
        CAST("patient" AS VARCHAR) AS c0,
        NULLIF(
          TRIM(CONCAT(
            '                  　',
            CHR(  9),
            CHR(  10),
            CHR(  11),
            CHR(  12),
            CHR(  13),
            CHR(  28),
            CHR(  29),
            CHR(  30),
            CHR(  31)
          ) FROM CAST("ward" AS VARCHAR)),
          ''
        ) AS c1,
        CAST(NULL AS VARCHAR) AS c2,
        CAST("arrived" AS VARCHAR) AS c3,
        CAST("urgent" AS VARCHAR) AS c4,
        CAST(NULL AS VARCHAR) AS c5,
        CAST("patient" AS DOUBLE) AS n0,
        CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
        CAST("paid" AS DOUBLE) AS n5
      FROM "clinic"."visits"
    ) AS "t0"
  ) AS "t4"
  INNER JOIN (
    SELECT
      value,
      position
    FROM (VALUES
      ('it''s', 0),
      ('é', 1)) AS lent(value, position)
  ) AS "t2"
    ON "t4"."key0" = "t2"."value"
) AS "t5"
GROUP BY
  1;

-- count by column
SELECT
  "t11"."position",
  CAST(SUM("t11"."counts") AS VARCHAR) AS "counts"
FROM (
  SELECT
    *
  FROM (
    SELECT
      "t9"."person",
      "t9"."position",
      "t9"."rows",
      "t9"."counts",
      "t9"."turn",
      ROW_NUMBER() OVER (PARTITION BY "t9"."person" ORDER BY "t9"."turn" ASC, "t9"."position" ASC) - 1 AS "nth"
    FROM (
      SELECT
        "t8"."person",
        "t8"."position",
        "t8"."rows",
        "t8"."counts",
        LOWER(
          TO_HEX(
            MD5(
              TO_UTF8(
                CONCAT(
                  CONCAT(
                    CONCAT(
                      '2026
',
                      CAST(CAST(CAST("t8"."position" AS DOUBLE) AS BIGINT) AS VARCHAR)
                    ),
                    '
'
                  ),
                  "t8"."person"
                )
              )
            )
          )
        ) AS "turn"
      FROM (
        SELECT
          "t7"."person",
          "t7"."position",
          "t7"."rows",
          LEAST("t7"."rows", 3) AS "counts"
        FROM (
          SELECT
            "t6"."person",
            "t6"."position",
            COUNT(*) AS "rows"
          FROM (
            SELECT
              *
            FROM (
              SELECT
                "t4"."key0",
                "t4"."person",
                "t2"."value",
                "t2"."position"
              FROM (
                SELECT
                  "t0"."c1" AS "key0",
                  "t0"."c0" AS "person"
                FROM (
                  SELECT
                    CAST("patient" AS VARCHAR) AS c0,
                    NULLIF(
                      TRIM(CONCAT(
                        '                  　',
                        CHR(  9),
                        CHR(  10),
                        CHR(  11),
                        CHR(  12),
                        CHR(  13),
                        CHR(  28),
                        CHR(  29),
                        CHR(  30),
                        CHR(  31)
                      ) FROM CAST("ward" AS VARCHAR)),
                      ''
                    ) AS c1,
                    CAST(NULL AS VARCHAR) AS c2,
                    CAST("arrived" AS VARCHAR) AS c3,
                    CAST("urgent" AS VARCHAR) AS c4,
                    CAST(NULL AS VARCHAR) AS c5,
                    CAST("patient" AS DOUBLE) AS n0,
                    CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
                    CAST("paid" AS DOUBLE) AS n5
                  FROM "clinic"."visits"
                ) AS "t0"
              ) AS "t4"
              INNER JOIN (
                SELECT
                  value,
                  position
                FROM (VALUES
                  ('it''s', 0),
                  ('a\b', 1),
                  ('é', 2)) AS lent(value, position)
              ) AS "t2"
                ON "t4"."key0" = "t2"."value"
            ) AS "t5"
            WHERE
              "t5"."person" IS NOT NULL
          ) AS "t6"
          GROUP BY
            1,
            2
        ) AS "t7"
      ) AS "t8"
    ) AS "t9"
  ) AS "t10"
  WHERE
    "t10"."nth" < 2
) AS "t11"
GROUP BY
  1;

-- count by bins
SELECT
  "t5"."position",
  CAST(SUM("t5"."counts") AS VARCHAR) AS "counts"
FROM (
  SELECT
    *
  FROM (
    SELECT
      "t3"."person",
      "t3"."position",
      "t3"."rows",
      "t3"."counts",
      ROW_NUMBER() OVER (PARTITION BY "t3"."person" ORDER BY "t3"."position" ASC) - 1 AS "nth"
    FROM (
      SELECT
        "t2"."person",
        "t2"."position",
        "t2"."rows",
        LEAST("t2"."rows", 1) AS "counts"
      FROM (
        SELECT
          "t1"."person",
          "t1"."position",
          COUNT(*) AS "rows"
        FROM (
          SELECT
            "t0"."n5" AS "key",
            "t0"."c0" AS "person",
            IF(
              "t0"."n5" < (
                CAST(3602879701896397 AS DOUBLE) / CAST(36028797018963968 AS DOUBLE)
              ),
              0,
              1
            ) AS "position"
          FROM (
            SELECT
              CAST("patient" AS VARCHAR) AS c0,
              NULLIF(
                TRIM(CONCAT(
                  '                  　',
                  CHR(  9),
                  CHR(  10),
                  CHR(  11),
                  CHR(  12),
                  CHR(  13),
                  CHR(  28),
                  CHR(  29),
                  CHR(  30),
                  CHR(  31)
                ) FROM CAST("ward" AS VARCHAR)),
                ''
              ) AS c1,
              CAST(NULL AS VARCHAR) AS c2,
              CAST("arrived" AS VARCHAR) AS c3,
              CAST("urgent" AS VARCHAR) AS c4,
              CAST(NULL AS VARCHAR) AS c5,
              CAST("patient" AS DOUBLE) AS n0,
              CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
              CAST("paid" AS DOUBLE) AS n5
            FROM "clinic"."visits"
          ) AS "t0"
          WHERE
            "t0"."n5" BETWEEN CAST(0 AS DOUBLE) AND CAST(5 AS DOUBLE) / CAST(2 AS DOUBLE)
            AND "t0"."c0" IS NOT NULL
        ) AS "t1"
        GROUP BY
          1,
          2
      ) AS "t2"
    ) AS "t3"
  ) AS "t4"
  WHERE
    "t4"."nth" < 1
) AS "t5"
GROUP BY
  1;

-- count by month
SELECT
  "t3"."position",
  CAST(SUM("t3"."times") AS VARCHAR) AS "times"
FROM (
  SELECT
    "t2"."key",
    "t2"."month",
    CAST(FLOOR(CAST((
      "t2"."month"
    ) AS DOUBLE) / (
      1
    )) AS BIGINT) AS "position",
    1 AS "times"
  FROM (
    SELECT
      "t1"."key",
      (
        (
          (
            (
              CAST(SUBSTRING("t1"."key", IF((
                0 + 1
              ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) * 12
            ) + CAST(SUBSTRING("t1"."key", IF((
              5 + 1
            ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT)
          ) - 1
        ) + IF(
          (
            CAST(SUBSTRING("t1"."key", IF((
              11 + 1
            ) >= 1, 11 + 1, 11 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) = 24
          )
          AND (
            SUBSTRING("t1"."key", IF((
              5 + 1
            ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 5) IN (
              '01-31',
              '02-29',
              '03-31',
              '04-30',
              '05-31',
              '06-30',
              '07-31',
              '08-31',
              '09-30',
              '10-31',
              '11-30',
              '12-31'
            )
            OR (
              (
                SUBSTRING("t1"."key", IF((
                  5 + 1
                ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 5) = '02-28'
              )
              AND (
                (
                  (
                    CAST(SUBSTRING("t1"."key", IF((
                      0 + 1
                    ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) % 4
                  ) <> 0
                )
                OR (
                  (
                    (
                      CAST(SUBSTRING("t1"."key", IF((
                        0 + 1
                      ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) % 100
                    ) = 0
                  )
                  AND (
                    (
                      CAST(SUBSTRING("t1"."key", IF((
                        0 + 1
                      ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) % 400
                    ) <> 0
                  )
                )
              )
            )
          ),
          1,
          0
        )
      ) - 24300 AS "month"
    FROM (
      SELECT
        IF(
          REGEXP_LIKE(
            "t0"."c3",
            '^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)([ T](24:00(:00(\.0{1,6})?)?|([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?)Z?)?$'
          ),
          CONCAT(
            CONCAT(
              SUBSTRING("t0"."c3", IF((
                0 + 1
              ) >= 1, 0 + 1, 0 + 1 + LENGTH("t0"."c3")), 10),
              ' '
            ),
            LPAD(
              COALESCE(
                NULLIF(
                  SUBSTRING("t0"."c3", IF((
                    11 + 1
                  ) >= 1, 11 + 1, 11 + 1 + LENGTH("t0"."c3")), 2),
                  ''
                ),
                '0'
              ),
              GREATEST(
                LENGTH(
                  COALESCE(
                    NULLIF(
                      SUBSTRING("t0"."c3", IF((
                        11 + 1
                      ) >= 1, 11 + 1, 11 + 1 + LENGTH("t0"."c3")), 2),
                      ''
                    ),
                    '0'
                  )
                ),
                2
              ),
              '0'
            )
          ),
          NULL
        ) AS "key"
      FROM (
        SELECT
          CAST("patient" AS VARCHAR) AS c0,
          NULLIF(
            TRIM(CONCAT(
              '                  　',
              CHR(  9),
              CHR(  10),
              CHR(  11),
              CHR(  12),
              CHR(  13),
              CHR(  28),
              CHR(  29),
              CHR(  30),
              CHR(  31)
            ) FROM CAST("ward" AS VARCHAR)),
            ''
          ) AS c1,
          CAST(NULL AS VARCHAR) AS c2,
          CAST("arrived" AS VARCHAR) AS c3,
          CAST("urgent" AS VARCHAR) AS c4,
          CAST(NULL AS VARCHAR) AS c5,
          CAST("patient" AS DOUBLE) AS n0,
          CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
          CAST("paid" AS DOUBLE) AS n5
        FROM "clinic"."visits"
      ) AS "t0"
    ) AS "t1"
  ) AS "t2"
  WHERE
    "t2"."month" >= 0 AND "t2"."month" < 12
) AS "t3"
GROUP BY
  1;

-- count by weekday
SELECT
  "t2"."position",
  CAST(SUM("t2"."times") AS VARCHAR) AS "times"
FROM (
  SELECT
    "t1"."key",
    (
      (
        (
          (
            (
              (
                (
                  (
                    CAST(FLOOR(
                      CAST((
                        (
                          CAST(SUBSTRING("t1"."key", IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                        ) - IF(
                          CAST(SUBSTRING("t1"."key", IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                          1,
                          0
                        )
                      ) AS DOUBLE) / (
                        400
                      )
                    ) AS BIGINT) * 146097
                  ) + (
                    (
                      (
                        (
                          CAST(SUBSTRING("t1"."key", IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                        ) - IF(
                          CAST(SUBSTRING("t1"."key", IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                          1,
                          0
                        )
                      ) - (
                        CAST(FLOOR(
                          CAST((
                            (
                              CAST(SUBSTRING("t1"."key", IF((
                                0 + 1
                              ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                            ) - IF(
                              CAST(SUBSTRING("t1"."key", IF((
                                5 + 1
                              ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                              1,
                              0
                            )
                          ) AS DOUBLE) / (
                            400
                          )
                        ) AS BIGINT) * 400
                      )
                    ) * 365
                  ) + CAST(FLOOR(
                    CAST((
                      (
                        (
                          CAST(SUBSTRING("t1"."key", IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                        ) - IF(
                          CAST(SUBSTRING("t1"."key", IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                          1,
                          0
                        )
                      ) - (
                        CAST(FLOOR(
                          CAST((
                            (
                              CAST(SUBSTRING("t1"."key", IF((
                                0 + 1
                              ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                            ) - IF(
                              CAST(SUBSTRING("t1"."key", IF((
                                5 + 1
                              ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                              1,
                              0
                            )
                          ) AS DOUBLE) / (
                            400
                          )
                        ) AS BIGINT) * 400
                      )
                    ) AS DOUBLE) / (
                      4
                    )
                  ) AS BIGINT)
                ) - CAST(FLOOR(
                  CAST((
                    (
                      (
                        CAST(SUBSTRING("t1"."key", IF((
                          0 + 1
                        ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                      ) - IF(
                        CAST(SUBSTRING("t1"."key", IF((
                          5 + 1
                        ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                        1,
                        0
                      )
                    ) - (
                      CAST(FLOOR(
                        CAST((
                          (
                            CAST(SUBSTRING("t1"."key", IF((
                              0 + 1
                            ) >= 1, 0 + 1, 0 + 1 + LENGTH("t1"."key")), 4) AS BIGINT) + 400
                          ) - IF(
                            CAST(SUBSTRING("t1"."key", IF((
                              5 + 1
                            ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) <= 2,
                            1,
                            0
                          )
                        ) AS DOUBLE) / (
                          400
                        )
                      ) AS BIGINT) * 400
                    )
                  ) AS DOUBLE) / (
                    100
                  )
                ) AS BIGINT)
              ) + (
                (
                  CAST(FLOOR(
                    CAST((
                      (
                        (
                          (
                            CAST(SUBSTRING("t1"."key", IF((
                              5 + 1
                            ) >= 1, 5 + 1, 5 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) + 9
                          ) % 12
                        ) * 153
                      ) + 2
                    ) AS DOUBLE) / (
                      5
                    )
                  ) AS BIGINT) + CAST(SUBSTRING("t1"."key", IF((
                    8 + 1
                  ) >= 1, 8 + 1, 8 + 1 + LENGTH("t1"."key")), 2) AS BIGINT)
                ) - 1
              )
            ) - 865565
          ) + IF(
            CAST(SUBSTRING("t1"."key", IF((
              11 + 1
            ) >= 1, 11 + 1, 11 + 1 + LENGTH("t1"."key")), 2) AS BIGINT) = 24,
            1,
            0
          ) + 3
        ) % 7
      ) + 7
    ) % 7 AS "position",
    1 AS "times"
  FROM (
    SELECT
      IF(
        REGEXP_LIKE(
          "t0"."c3",
          '^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)([ T](24:00(:00(\.0{1,6})?)?|([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?)Z?)?$'
        ),
        CONCAT(
          CONCAT(
            SUBSTRING("t0"."c3", IF((
              0 + 1
            ) >= 1, 0 + 1, 0 + 1 + LENGTH("t0"."c3")), 10),
            ' '
          ),
          LPAD(
            COALESCE(
              NULLIF(
                SUBSTRING("t0"."c3", IF((
                  11 + 1
                ) >= 1, 11 + 1, 11 + 1 + LENGTH("t0"."c3")), 2),
                ''
              ),
              '0'
            ),
            GREATEST(
              LENGTH(
                COALESCE(
                  NULLIF(
                    SUBSTRING("t0"."c3", IF((
                      11 + 1
                    ) >= 1, 11 + 1, 11 + 1 + LENGTH("t0"."c3")), 2),
                    ''
                  ),
                  '0'
                )
              ),
              2
            ),
            '0'
          )
        ),
        NULL
      ) AS "key"
    FROM (
      SELECT
        CAST("patient" AS VARCHAR) AS c0,
        NULLIF(
          TRIM(CONCAT(
            '                  　',
            CHR(  9),
            CHR(  10),
            CHR(  11),
            CHR(  12),
            CHR(  13),
            CHR(  28),
            CHR(  29),
            CHR(  30),
            CHR(  31)
          ) FROM CAST("ward" AS VARCHAR)),
          ''
        ) AS c1,
        CAST(NULL AS VARCHAR) AS c2,
        CAST("arrived" AS VARCHAR) AS c3,
        CAST("urgent" AS VARCHAR) AS c4,
        CAST(NULL AS VARCHAR) AS c5,
        CAST("patient" AS DOUBLE) AS n0,
        CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
        CAST("paid" AS DOUBLE) AS n5
      FROM "clinic"."visits"
    ) AS "t0"
  ) AS "t1"
  WHERE
    "t1"."key" IS NOT NULL
) AS "t2"
GROUP BY
  1;

-- mean
SELECT
  "t9"."position",
  CAST(SUM("t9"."steps") AS VARCHAR) AS "steps",
  CAST(SUM("t9"."one") AS VARCHAR) AS "one"
FROM (
  SELECT
    "t8"."key0",
    "t8"."number",
    "t8"."person",
    "t8"."turn0",
    "t8"."value",
    "t8"."position",
    "t8"."turn",
    "t8"."nth_group",
    "t8"."nth_row",
    CAST(FLOOR(
      CAST(IF(
        ABS(
          GREATEST(
            LEAST(
              IF(
                ABS(
                  GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                ) < (
                  CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
                ),
                CAST(0 AS DOUBLE),
                GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
              ) / CAST(50 AS DOUBLE),
              CAST(1 AS DOUBLE)
            ),
            CAST(-1 AS DOUBLE)
          )
        ) < (
          CAST(1 AS DOUBLE) / CAST(4096 AS DOUBLE)
        ),
        CAST(0 AS DOUBLE),
        GREATEST(
          LEAST(
            IF(
              ABS(
                GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
              ) < (
                CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
              ),
              CAST(0 AS DOUBLE),
              GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
            ) / CAST(50 AS DOUBLE),
            CAST(1 AS DOUBLE)
          ),
          CAST(-1 AS DOUBLE)
        )
      ) AS DOUBLE) / (
        CAST(1 AS DOUBLE) / CAST(1024 AS DOUBLE)
      )
    ) AS BIGINT) + IF(
      (
        (
          CAST(IF(
            ABS(
              GREATEST(
                LEAST(
                  IF(
                    ABS(
                      GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                    ) < (
                      CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
                    ),
                    CAST(0 AS DOUBLE),
                    GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                  ) / CAST(50 AS DOUBLE),
                  CAST(1 AS DOUBLE)
                ),
                CAST(-1 AS DOUBLE)
              )
            ) < (
              CAST(1 AS DOUBLE) / CAST(4096 AS DOUBLE)
            ),
            CAST(0 AS DOUBLE),
            GREATEST(
              LEAST(
                IF(
                  ABS(
                    GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                  ) < (
                    CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
                  ),
                  CAST(0 AS DOUBLE),
                  GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                ) / CAST(50 AS DOUBLE),
                CAST(1 AS DOUBLE)
              ),
              CAST(-1 AS DOUBLE)
            )
          ) AS DOUBLE) / (
            CAST(1 AS DOUBLE) / CAST(1024 AS DOUBLE)
          )
        ) - CAST(FLOOR(
          CAST(IF(
            ABS(
              GREATEST(
                LEAST(
                  IF(
                    ABS(
                      GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                    ) < (
                      CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
                    ),
                    CAST(0 AS DOUBLE),
                    GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                  ) / CAST(50 AS DOUBLE),
                  CAST(1 AS DOUBLE)
                ),
                CAST(-1 AS DOUBLE)
              )
            ) < (
              CAST(1 AS DOUBLE) / CAST(4096 AS DOUBLE)
            ),
            CAST(0 AS DOUBLE),
            GREATEST(
              LEAST(
                IF(
                  ABS(
                    GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                  ) < (
                    CAST(25 AS DOUBLE) / CAST(2048 AS DOUBLE)
                  ),
                  CAST(0 AS DOUBLE),
                  GREATEST(LEAST("t8"."number", CAST(100 AS DOUBLE)), CAST(0 AS DOUBLE)) - CAST(50 AS DOUBLE)
                ) / CAST(50 AS DOUBLE),
                CAST(1 AS DOUBLE)
              ),
              CAST(-1 AS DOUBLE)
            )
          ) AS DOUBLE) / (
            CAST(1 AS DOUBLE) / CAST(1024 AS DOUBLE)
          )
        ) AS BIGINT)
      ) >= CAST(0.5 AS DOUBLE),
      1,
      0
    ) AS "steps",
    1 AS "one"
  FROM (
    SELECT
      "t7"."key0",
      "t7"."number",
      "t7"."person",
      "t7"."turn0",
      "t7"."value",
      "t7"."position",
      "t7"."turn",
      DENSE_RANK() OVER (PARTITION BY "t7"."person" ORDER BY "t7"."turn" ASC, "t7"."position" ASC) - 1 AS "nth_group",
      ROW_NUMBER() OVER (PARTITION BY "t7"."person", "t7"."position" ORDER BY "t7"."turn0" ASC) - 1 AS "nth_row"
    FROM (
      SELECT
        "t6"."key0",
        "t6"."number",
        "t6"."person",
        "t6"."turn0",
        "t6"."value",
        "t6"."position",
        LOWER(
          TO_HEX(
            MD5(
              TO_UTF8(
                CONCAT(
                  CONCAT(
                    CONCAT(
                      '2026
',
                      CAST(CAST(CAST("t6"."position" AS DOUBLE) AS BIGINT) AS VARCHAR)
                    ),
                    '
'
                  ),
                  "t6"."person"
                )
              )
            )
          )
        ) AS "turn"
      FROM (
        SELECT
          *
        FROM (
          SELECT
            "t4"."key0",
            "t4"."number",
            "t4"."person",
            "t4"."turn0",
            "t2"."value",
            "t2"."position"
          FROM (
            SELECT
              "t0"."c4" AS "key0",
              "t0"."n2" AS "number",
              "t0"."c0" AS "person",
              LOWER(
                TO_HEX(
                  MD5(
                    TO_UTF8(
                      CONCAT(
                        CONCAT(
                          CONCAT(
                            CONCAT(
                              CONCAT(
                                CONCAT(
                                  '2026',
                                  IF(
                                    "t0"."c0" IS NULL,
                                    '
n',
                                    CONCAT('
v', REPLACE("t0"."c0", '
', '
 '))
                                  )
                                ),
                                IF(
                                  "t0"."c1" IS NULL,
                                  '
n',
                                  CONCAT('
v', REPLACE("t0"."c1", '
', '
 '))
                                )
                              ),
                              IF(
                                CAST("t0"."n2" AS VARCHAR) IS NULL,
                                '
n',
                                CONCAT(
                                  '
v',
                                  REPLACE(CAST("t0"."n2" AS VARCHAR), '
', '
 ')
                                )
                              )
                            ),
                            IF(
                              "t0"."c3" IS NULL,
                              '
n',
                              CONCAT('
v', REPLACE("t0"."c3", '
', '
 '))
                            )
                          ),
                          IF(
                            "t0"."c4" IS NULL,
                            '
n',
                            CONCAT('
v', REPLACE("t0"."c4", '
', '
 '))
                          )
                        ),
                        IF(
                          CAST("t0"."n5" AS VARCHAR) IS NULL,
                          '
n',
                          CONCAT(
                            '
v',
                            REPLACE(CAST("t0"."n5" AS VARCHAR), '
', '
 ')
                          )
                        )
                      )
                    )
                  )
                )
              ) AS "turn0"
            FROM (
              SELECT
                CAST("patient" AS VARCHAR) AS c0,
                NULLIF(
                  TRIM(CONCAT(
                    '                  　',
                    CHR(  9),
                    CHR(  10),
                    CHR(  11),
                    CHR(  12),
                    CHR(  13),
                    CHR(  28),
                    CHR(  29),
                    CHR(  30),
                    CHR(  31)
                  ) FROM CAST("ward" AS VARCHAR)),
                  ''
                ) AS c1,
                CAST(NULL AS VARCHAR) AS c2,
                CAST("arrived" AS VARCHAR) AS c3,
                CAST("urgent" AS VARCHAR) AS c4,
                CAST(NULL AS VARCHAR) AS c5,
                CAST("patient" AS DOUBLE) AS n0,
                CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
                CAST("paid" AS DOUBLE) AS n5
              FROM "clinic"."visits"
            ) AS "t0"
          ) AS "t4"
          INNER JOIN (
            SELECT
              value,
              position
            FROM (VALUES
              ('true', 0),
              ('false', 1)) AS lent(value, position)
          ) AS "t2"
            ON "t4"."key0" = "t2"."value"
        ) AS "t5"
        WHERE
          "t5"."number" IS NOT NULL AND "t5"."person" IS NOT NULL
      ) AS "t6"
    ) AS "t7"
  ) AS "t8"
  WHERE
    "t8"."nth_group" < 2 AND "t8"."nth_row" < 3
) AS "t9"
GROUP BY
  1;

-- texts
SELECT
  *
FROM (
  SELECT
    "t3"."position",
    COUNT(*) AS "count"
  FROM (
    SELECT
      *
    FROM (
      SELECT
        "t1"."position",
        "t1"."person",
        DENSE_RANK() OVER (PARTITION BY "t1"."person" ORDER BY "t1"."position" ASC) - 1 AS "nth_group",
        ROW_NUMBER() OVER (PARTITION BY "t1"."person", "t1"."position" ORDER BY "t1"."position" ASC) - 1 AS "nth_row"
      FROM (
        SELECT
          "t0"."c1" AS "position",
          "t0"."c0" AS "person"
        FROM (
          SELECT
            CAST("patient" AS VARCHAR) AS c0,
            NULLIF(
              TRIM(CONCAT(
                '                  　',
                CHR(  9),
                CHR(  10),
                CHR(  11),
                CHR(  12),
                CHR(  13),
                CHR(  28),
                CHR(  29),
                CHR(  30),
                CHR(  31)
              ) FROM CAST("ward" AS VARCHAR)),
              ''
            ) AS c1,
            CAST(NULL AS VARCHAR) AS c2,
            CAST("arrived" AS VARCHAR) AS c3,
            CAST("urgent" AS VARCHAR) AS c4,
            CAST(NULL AS VARCHAR) AS c5,
            CAST("patient" AS DOUBLE) AS n0,
            CASE WHEN ABS("cost") <= 1.7976931348623157E308 THEN "cost" END AS n2,
            CAST("paid" AS DOUBLE) AS n5
          FROM "clinic"."visits"
        ) AS "t0"
        WHERE
          "t0"."c1" IS NOT NULL AND "t0"."c0" IS NOT NULL
      ) AS "t1"
    ) AS "t2"
    WHERE
      "t2"."nth_group" < 1 AND "t2"."nth_row" < 1
  ) AS "t3"
  GROUP BY
    1
) AS "t4"
ORDER BY
  "t4"."position" ASC
LIMIT 1000001;
