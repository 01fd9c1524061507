-- count of rows by column
SELECT
  `t5`.`position`,
  CAST(SUM(`t5`.`times`) AS STRING) AS `times`
FROM (
  SELECT
    `t4`.`key0`,
    `t4`.`times`,
    `t2`.`value`,
    `t2`.`position`
  FROM (
    SELECT
      `t0`.`c1` AS `key0`,
      1 AS `times`
    FROM (
      SELECT
        CAST(`patient` AS STRING) AS c0,
        NULLIF(
          TRIM(
            CAST(`ward` AS STRING),
            CONCAT(
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
            )
          ),
          ''
        ) AS c1,
        CAST(NULL AS STRING) AS c2,
        CAST(`arrived` AS STRING) AS c3,
        CAST(`urgent` AS STRING) AS c4,
        CAST(NULL AS STRING) AS c5,
        CAST(`patient` AS FLOAT64) AS n0,
        CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
        CAST(`paid` AS FLOAT64) AS n5
      FROM `clinic`.`visits`
    ) AS `t0`
  ) AS `t4`
  INNER JOIN (
    SELECT
      value,
      position
    FROM UNNEST([STRUCT('it\'s' AS value, 0 AS position), STRUCT('é' AS value, 1 AS position)])
  ) AS `t2`
    ON `t4`.`key0` = `t2`.`value`
) AS `t5`
GROUP BY
  1;

-- count by column
SELECT
  `t11`.`position`,
  CAST(SUM(`t11`.`counts`) AS STRING) AS `counts`
FROM (
  SELECT
    *
  FROM (
    SELECT
      `t9`.`person`,
      `t9`.`position`,
      `t9`.`rows`,
      `t9`.`counts`,
      `t9`.`turn`,
      ROW_NUMBER() OVER (PARTITION BY `t9`.`person` ORDER BY `t9`.`turn` ASC, `t9`.`position` ASC) - 1 AS `nth`
    FROM (
      SELECT
        `t8`.`person`,
        `t8`.`position`,
        `t8`.`rows`,
        `t8`.`counts`,
        LOWER(
          TO_HEX(
            MD5(
              CONCAT(
                CONCAT(
                  CONCAT('2026\n', CAST(CAST(TRUNC(CAST(`t8`.`position` AS FLOAT64)) AS INT64) AS STRING)),
                  '\n'
                ),
                `t8`.`person`
              )
            )
          )
        ) AS `turn`
      FROM (
        SELECT
          `t7`.`person`,
          `t7`.`position`,
          `t7`.`rows`,
          LEAST(`t7`.`rows`, 3) AS `counts`
        FROM (
          SELECT
            `t6`.`person`,
            `t6`.`position`,
            COUNT(*) AS `rows`
          FROM (
            SELECT
              *
            FROM (
              SELECT
                `t4`.`key0`,
                `t4`.`person`,
                `t2`.`value`,
                `t2`.`position`
              FROM (
                SELECT
                  `t0`.`c1` AS `key0`,
                  `t0`.`c0` AS `person`
                FROM (
                  SELECT
                    CAST(`patient` AS STRING) AS c0,
                    NULLIF(
                      TRIM(
                        CAST(`ward` AS STRING),
                        CONCAT(
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
                        )
                      ),
                      ''
                    ) AS c1,
                    CAST(NULL AS STRING) AS c2,
                    CAST(`arrived` AS STRING) AS c3,
                    CAST(`urgent` AS STRING) AS c4,
                    CAST(NULL AS STRING) AS c5,
                    CAST(`patient` AS FLOAT64) AS n0,
                    CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
                    CAST(`paid` AS FLOAT64) AS n5
                  FROM `clinic`.`visits`
                ) AS `t0`
              ) AS `t4`
              INNER JOIN (
                SELECT
                  value,
                  position
                FROM UNNEST([
                  STRUCT('it\'s' AS value, 0 AS position),
                  STRUCT('a\\b' AS value, 1 AS position),
                  STRUCT('é' AS value, 2 AS position)
                ])
              ) AS `t2`
                ON `t4`.`key0` = `t2`.`value`
            ) AS `t5`
            WHERE
              `t5`.`person` IS NOT NULL
          ) AS `t6`
          GROUP BY
            1,
            2
        ) AS `t7`
      ) AS `t8`
    ) AS `t9`
  ) AS `t10`
  WHERE
    `t10`.`nth` < 2
) AS `t11`
GROUP BY
  1;

-- count by bins
SELECT
  `t5`.`position`,
  CAST(SUM(`t5`.`counts`) AS STRING) AS `counts`
FROM (
  SELECT
    *
  FROM (
    SELECT
      `t3`.`person`,
      `t3`.`position`,
      `t3`.`rows`,
      `t3`.`counts`,
      ROW_NUMBER() OVER (PARTITION BY `t3`.`person` ORDER BY `t3`.`position` ASC) - 1 AS `nth`
    FROM (
      SELECT
        `t2`.`person`,
        `t2`.`position`,
        `t2`.`rows`,
        LEAST(`t2`.`rows`, 1) AS `counts`
      FROM (
        SELECT
          `t1`.`person`,
          `t1`.`position`,
          COUNT(*) AS `rows`
        FROM (
          SELECT
            `t0`.`n5` AS `key`,
            `t0`.`c0` AS `person`,
            IF(
              `t0`.`n5` < ieee_divide(CAST(3602879701896397 AS FLOAT64), CAST(36028797018963968 AS FLOAT64)),
              0,
              1
            ) AS `position`
          FROM (
            SELECT
              CAST(`patient` AS STRING) AS c0,
              NULLIF(
                TRIM(
                  CAST(`ward` AS STRING),
                  CONCAT(
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
                  )
                ),
                ''
              ) AS c1,
              CAST(NULL AS STRING) AS c2,
              CAST(`arrived` AS STRING) AS c3,
              CAST(`urgent` AS STRING) AS c4,
              CAST(NULL AS STRING) AS c5,
              CAST(`patient` AS FLOAT64) AS n0,
              CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
              CAST(`paid` AS FLOAT64) AS n5
            FROM `clinic`.`visits`
          ) AS `t0`
          WHERE
            `t0`.`n5` BETWEEN CAST(0 AS FLOAT64) AND ieee_divide(CAST(5 AS FLOAT64), CAST(2 AS FLOAT64))
            AND `t0`.`c0` IS NOT NULL
        ) AS `t1`
        GROUP BY
          1,
          2
      ) AS `t2`
    ) AS `t3`
  ) AS `t4`
  WHERE
    `t4`.`nth` < 1
) AS `t5`
GROUP BY
  1;

-- count by month
SELECT
  `t3`.`position`,
  CAST(SUM(`t3`.`times`) AS STRING) AS `times`
FROM (
  SELECT
    `t2`.`key`,
    `t2`.`month`,
    CAST(FLOOR(ieee_divide(`t2`.`month`, 1)) AS INT64) AS `position`,
    1 AS `times`
  FROM (
    SELECT
      `t1`.`key`,
      (
        (
          (
            (
              CAST(SUBSTRING(`t1`.`key`, IF((
                0 + 1
              ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) * 12
            ) + CAST(SUBSTRING(`t1`.`key`, IF((
              5 + 1
            ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64)
          ) - 1
        ) + IF(
          (
            CAST(SUBSTRING(`t1`.`key`, IF((
              11 + 1
            ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) = 24
          )
          AND (
            SUBSTRING(`t1`.`key`, IF((
              5 + 1
            ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 5) IN (
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
                SUBSTRING(`t1`.`key`, IF((
                  5 + 1
                ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 5) = '02-28'
              )
              AND (
                (
                  (
                    MOD(
                      CAST(SUBSTRING(`t1`.`key`, IF((
                        0 + 1
                      ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64),
                      4
                    )
                  ) <> 0
                )
                OR (
                  (
                    (
                      MOD(
                        CAST(SUBSTRING(`t1`.`key`, IF((
                          0 + 1
                        ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64),
                        100
                      )
                    ) = 0
                  )
                  AND (
                    (
                      MOD(
                        CAST(SUBSTRING(`t1`.`key`, IF((
                          0 + 1
                        ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64),
                        400
                      )
                    ) <> 0
                  )
                )
              )
            )
          ),
          1,
          0
        )
      ) - 24300 AS `month`
    FROM (
      SELECT
        IF(
          REGEXP_CONTAINS(
            `t0`.`c3`,
            '^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)([ T](24:00(:00(\\.0{1,6})?)?|([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?)Z?)?$'
          ),
          CONCAT(
            CONCAT(
              SUBSTRING(`t0`.`c3`, IF((
                0 + 1
              ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t0`.`c3`)), 10),
              ' '
            ),
            LPAD(
              COALESCE(
                NULLIF(
                  SUBSTRING(`t0`.`c3`, IF((
                    11 + 1
                  ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t0`.`c3`)), 2),
                  ''
                ),
                '0'
              ),
              GREATEST(
                LENGTH(
                  COALESCE(
                    NULLIF(
                      SUBSTRING(`t0`.`c3`, IF((
                        11 + 1
                      ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t0`.`c3`)), 2),
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
        ) AS `key`
      FROM (
        SELECT
          CAST(`patient` AS STRING) AS c0,
          NULLIF(
            TRIM(
              CAST(`ward` AS STRING),
              CONCAT(
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
              )
            ),
            ''
          ) AS c1,
          CAST(NULL AS STRING) AS c2,
          CAST(`arrived` AS STRING) AS c3,
          CAST(`urgent` AS STRING) AS c4,
          CAST(NULL AS STRING) AS c5,
          CAST(`patient` AS FLOAT64) AS n0,
          CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
          CAST(`paid` AS FLOAT64) AS n5
        FROM `clinic`.`visits`
      ) AS `t0`
    ) AS `t1`
  ) AS `t2`
  WHERE
    `t2`.`month` >= 0 AND `t2`.`month` < 12
) AS `t3`
GROUP BY
  1;

-- count by weekday
SELECT
  `t2`.`position`,
  CAST(SUM(`t2`.`times`) AS STRING) AS `times`
FROM (
  SELECT
    `t1`.`key`,
    MOD(
      (
        MOD(
          (
            (
              (
                (
                  (
                    CAST(FLOOR(
                      ieee_divide(
                        (
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                        ) - IF(
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                          1,
                          0
                        ),
                        400
                      )
                    ) AS INT64) * 146097
                  ) + (
                    (
                      (
                        (
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                        ) - IF(
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                          1,
                          0
                        )
                      ) - (
                        CAST(FLOOR(
                          ieee_divide(
                            (
                              CAST(SUBSTRING(`t1`.`key`, IF((
                                0 + 1
                              ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                            ) - IF(
                              CAST(SUBSTRING(`t1`.`key`, IF((
                                5 + 1
                              ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                              1,
                              0
                            ),
                            400
                          )
                        ) AS INT64) * 400
                      )
                    ) * 365
                  ) + CAST(FLOOR(
                    ieee_divide(
                      (
                        (
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            0 + 1
                          ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                        ) - IF(
                          CAST(SUBSTRING(`t1`.`key`, IF((
                            5 + 1
                          ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                          1,
                          0
                        )
                      ) - (
                        CAST(FLOOR(
                          ieee_divide(
                            (
                              CAST(SUBSTRING(`t1`.`key`, IF((
                                0 + 1
                              ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                            ) - IF(
                              CAST(SUBSTRING(`t1`.`key`, IF((
                                5 + 1
                              ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                              1,
                              0
                            ),
                            400
                          )
                        ) AS INT64) * 400
                      ),
                      4
                    )
                  ) AS INT64)
                ) - CAST(FLOOR(
                  ieee_divide(
                    (
                      (
                        CAST(SUBSTRING(`t1`.`key`, IF((
                          0 + 1
                        ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                      ) - IF(
                        CAST(SUBSTRING(`t1`.`key`, IF((
                          5 + 1
                        ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                        1,
                        0
                      )
                    ) - (
                      CAST(FLOOR(
                        ieee_divide(
                          (
                            CAST(SUBSTRING(`t1`.`key`, IF((
                              0 + 1
                            ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t1`.`key`)), 4) AS INT64) + 400
                          ) - IF(
                            CAST(SUBSTRING(`t1`.`key`, IF((
                              5 + 1
                            ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) <= 2,
                            1,
                            0
                          ),
                          400
                        )
                      ) AS INT64) * 400
                    ),
                    100
                  )
                ) AS INT64)
              ) + (
                (
                  CAST(FLOOR(
                    ieee_divide(
                      (
                        (
                          MOD(
                            CAST(SUBSTRING(`t1`.`key`, IF((
                              5 + 1
                            ) >= 1, 5 + 1, 5 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) + 9,
                            12
                          )
                        ) * 153
                      ) + 2,
                      5
                    )
                  ) AS INT64) + CAST(SUBSTRING(`t1`.`key`, IF((
                    8 + 1
                  ) >= 1, 8 + 1, 8 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64)
                ) - 1
              )
            ) - 865565
          ) + IF(
            CAST(SUBSTRING(`t1`.`key`, IF((
              11 + 1
            ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t1`.`key`)), 2) AS INT64) = 24,
            1,
            0
          ) + 3,
          7
        )
      ) + 7,
      7
    ) AS `position`,
    1 AS `times`
  FROM (
    SELECT
      IF(
        REGEXP_CONTAINS(
          `t0`.`c3`,
          '^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)([ T](24:00(:00(\\.0{1,6})?)?|([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?)Z?)?$'
        ),
        CONCAT(
          CONCAT(
            SUBSTRING(`t0`.`c3`, IF((
              0 + 1
            ) >= 1, 0 + 1, 0 + 1 + LENGTH(`t0`.`c3`)), 10),
            ' '
          ),
          LPAD(
            COALESCE(
              NULLIF(
                SUBSTRING(`t0`.`c3`, IF((
                  11 + 1
                ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t0`.`c3`)), 2),
                ''
              ),
              '0'
            ),
            GREATEST(
              LENGTH(
                COALESCE(
                  NULLIF(
                    SUBSTRING(`t0`.`c3`, IF((
                      11 + 1
                    ) >= 1, 11 + 1, 11 + 1 + LENGTH(`t0`.`c3`)), 2),
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
      ) AS `key`
    FROM (
      SELECT
        CAST(`patient` AS STRING) AS c0,
        NULLIF(
          TRIM(
            CAST(`ward` AS STRING),
            CONCAT(
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
            )
          ),
          ''
        ) AS c1,
        CAST(NULL AS STRING) AS c2,
        CAST(`arrived` AS STRING) AS c3,
        CAST(`urgent` AS STRING) AS c4,
        CAST(NULL AS STRING) AS c5,
        CAST(`patient` AS FLOAT64) AS n0,
        CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
        CAST(`paid` AS FLOAT64) AS n5
      FROM `clinic`.`visits`
    ) AS `t0`
  ) AS `t1`
  WHERE
    `t1`.`key` IS NOT NULL
) AS `t2`
GROUP BY
  1;

-- mean
SELECT
  `t9`.`position`,
  CAST(SUM(`t9`.`steps`) AS STRING) AS `steps`,
  CAST(SUM(`t9`.`one`) AS STRING) AS `one`
FROM (
  SELECT
    `t8`.`key0`,
    `t8`.`number`,
    `t8`.`person`,
    `t8`.`turn0`,
    `t8`.`value`,
    `t8`.`position`,
    `t8`.`turn`,
    `t8`.`nth_group`,
    `t8`.`nth_row`,
    CAST(FLOOR(
      ieee_divide(
        IF(
          ABS(
            GREATEST(
              LEAST(
                ieee_divide(
                  IF(
                    ABS(
                      GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                    ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                    CAST(0 AS FLOAT64),
                    GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                  ),
                  CAST(50 AS FLOAT64)
                ),
                CAST(1 AS FLOAT64)
              ),
              CAST(-1 AS FLOAT64)
            )
          ) < ieee_divide(CAST(1 AS FLOAT64), CAST(4096 AS FLOAT64)),
          CAST(0 AS FLOAT64),
          GREATEST(
            LEAST(
              ieee_divide(
                IF(
                  ABS(
                    GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                  ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                  CAST(0 AS FLOAT64),
                  GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                ),
                CAST(50 AS FLOAT64)
              ),
              CAST(1 AS FLOAT64)
            ),
            CAST(-1 AS FLOAT64)
          )
        ),
        ieee_divide(CAST(1 AS FLOAT64), CAST(1024 AS FLOAT64))
      )
    ) AS INT64) + IF(
      (
        ieee_divide(
          IF(
            ABS(
              GREATEST(
                LEAST(
                  ieee_divide(
                    IF(
                      ABS(
                        GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                      ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                      CAST(0 AS FLOAT64),
                      GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                    ),
                    CAST(50 AS FLOAT64)
                  ),
                  CAST(1 AS FLOAT64)
                ),
                CAST(-1 AS FLOAT64)
              )
            ) < ieee_divide(CAST(1 AS FLOAT64), CAST(4096 AS FLOAT64)),
            CAST(0 AS FLOAT64),
            GREATEST(
              LEAST(
                ieee_divide(
                  IF(
                    ABS(
                      GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                    ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                    CAST(0 AS FLOAT64),
                    GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                  ),
                  CAST(50 AS FLOAT64)
                ),
                CAST(1 AS FLOAT64)
              ),
              CAST(-1 AS FLOAT64)
            )
          ),
          ieee_divide(CAST(1 AS FLOAT64), CAST(1024 AS FLOAT64))
        ) - CAST(FLOOR(
          ieee_divide(
            IF(
              ABS(
                GREATEST(
                  LEAST(
                    ieee_divide(
                      IF(
                        ABS(
                          GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                        ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                        CAST(0 AS FLOAT64),
                        GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                      ),
                      CAST(50 AS FLOAT64)
                    ),
                    CAST(1 AS FLOAT64)
                  ),
                  CAST(-1 AS FLOAT64)
                )
              ) < ieee_divide(CAST(1 AS FLOAT64), CAST(4096 AS FLOAT64)),
              CAST(0 AS FLOAT64),
              GREATEST(
                LEAST(
                  ieee_divide(
                    IF(
                      ABS(
                        GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                      ) < ieee_divide(CAST(25 AS FLOAT64), CAST(2048 AS FLOAT64)),
                      CAST(0 AS FLOAT64),
                      GREATEST(LEAST(`t8`.`number`, CAST(100 AS FLOAT64)), CAST(0 AS FLOAT64)) - CAST(50 AS FLOAT64)
                    ),
                    CAST(50 AS FLOAT64)
                  ),
                  CAST(1 AS FLOAT64)
                ),
                CAST(-1 AS FLOAT64)
              )
            ),
            ieee_divide(CAST(1 AS FLOAT64), CAST(1024 AS FLOAT64))
          )
        ) AS INT64)
      ) >= 0.5,
      1,
      0
    ) AS `steps`,
    1 AS `one`
  FROM (
    SELECT
      `t7`.`key0`,
      `t7`.`number`,
      `t7`.`person`,
      `t7`.`turn0`,
      `t7`.`value`,
      `t7`.`position`,
      `t7`.`turn`,
      DENSE_RANK() OVER (PARTITION BY `t7`.`person` ORDER BY `t7`.`turn` ASC, `t7`.`position` ASC) - 1 AS `nth_group`,
      ROW_NUMBER() OVER (PARTITION BY `t7`.`person`, `t7`.`position` ORDER BY `t7`.`turn0` ASC) - 1 AS `nth_row`
    FROM (
      SELECT
        `t6`.`key0`,
        `t6`.`number`,
        `t6`.`person`,
        `t6`.`turn0`,
        `t6`.`value`,
        `t6`.`position`,
        LOWER(
          TO_HEX(
            MD5(
              CONCAT(
                CONCAT(
                  CONCAT('2026\n', CAST(CAST(TRUNC(CAST(`t6`.`position` AS FLOAT64)) AS INT64) AS STRING)),
                  '\n'
                ),
                `t6`.`person`
              )
            )
          )
        ) AS `turn`
      FROM (
        SELECT
          *
        FROM (
          SELECT
            `t4`.`key0`,
            `t4`.`number`,
            `t4`.`person`,
            `t4`.`turn0`,
            `t2`.`value`,
            `t2`.`position`
          FROM (
            SELECT
              `t0`.`c4` AS `key0`,
              `t0`.`n2` AS `number`,
              `t0`.`c0` AS `person`,
              LOWER(
                TO_HEX(
                  MD5(
                    CONCAT(
                      CONCAT(
                        CONCAT(
                          CONCAT(
                            CONCAT(
                              CONCAT(
                                '2026',
                                IF(`t0`.`c0` IS NULL, '\nn', CONCAT('\nv', REPLACE(`t0`.`c0`, '\n', '\n ')))
                              ),
                              IF(`t0`.`c1` IS NULL, '\nn', CONCAT('\nv', REPLACE(`t0`.`c1`, '\n', '\n ')))
                            ),
                            IF(
                              CAST(`t0`.`n2` AS STRING) IS NULL,
                              '\nn',
                              CONCAT('\nv', REPLACE(CAST(`t0`.`n2` AS STRING), '\n', '\n '))
                            )
                          ),
                          IF(`t0`.`c3` IS NULL, '\nn', CONCAT('\nv', REPLACE(`t0`.`c3`, '\n', '\n ')))
                        ),
                        IF(`t0`.`c4` IS NULL, '\nn', CONCAT('\nv', REPLACE(`t0`.`c4`, '\n', '\n ')))
                      ),
                      IF(
                        CAST(`t0`.`n5` AS STRING) IS NULL,
                        '\nn',
                        CONCAT('\nv', REPLACE(CAST(`t0`.`n5` AS STRING), '\n', '\n '))
                      )
                    )
                  )
                )
              ) AS `turn0`
            FROM (
              SELECT
                CAST(`patient` AS STRING) AS c0,
                NULLIF(
                  TRIM(
                    CAST(`ward` AS STRING),
                    CONCAT(
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
                    )
                  ),
                  ''
                ) AS c1,
                CAST(NULL AS STRING) AS c2,
                CAST(`arrived` AS STRING) AS c3,
                CAST(`urgent` AS STRING) AS c4,
                CAST(NULL AS STRING) AS c5,
                CAST(`patient` AS FLOAT64) AS n0,
                CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
                CAST(`paid` AS FLOAT64) AS n5
              FROM `clinic`.`visits`
            ) AS `t0`
          ) AS `t4`
          INNER JOIN (
            SELECT
              value,
              position
            FROM UNNEST([STRUCT('true' AS value, 0 AS position), STRUCT('false' AS value, 1 AS position)])
          ) AS `t2`
            ON `t4`.`key0` = `t2`.`value`
        ) AS `t5`
        WHERE
          `t5`.`number` IS NOT NULL AND `t5`.`person` IS NOT NULL
      ) AS `t6`
    ) AS `t7`
  ) AS `t8`
  WHERE
    `t8`.`nth_group` < 2 AND `t8`.`nth_row` < 3
) AS `t9`
GROUP BY
  1;

-- texts
SELECT
  *
FROM (
  SELECT
    `t3`.`position`,
    COUNT(*) AS `count`
  FROM (
    SELECT
      *
    FROM (
      SELECT
        `t1`.`position`,
        `t1`.`person`,
        DENSE_RANK() OVER (PARTITION BY `t1`.`person` ORDER BY `t1`.`position` ASC) - 1 AS `nth_group`,
        ROW_NUMBER() OVER (PARTITION BY `t1`.`person`, `t1`.`position` ORDER BY `t1`.`position` ASC) - 1 AS `nth_row`
      FROM (
        SELECT
          `t0`.`c1` AS `position`,
          `t0`.`c0` AS `person`
        FROM (
          SELECT
            CAST(`patient` AS STRING) AS c0,
            NULLIF(
              TRIM(
                CAST(`ward` AS STRING),
                CONCAT(
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
                )
              ),
              ''
            ) AS c1,
            CAST(NULL AS STRING) AS c2,
            CAST(`arrived` AS STRING) AS c3,
            CAST(`urgent` AS STRING) AS c4,
            CAST(NULL AS STRING) AS c5,
            CAST(`patient` AS FLOAT64) AS n0,
            CASE WHEN ABS(`cost`) <= 1.7976931348623157E308 THEN `cost` END AS n2,
            CAST(`paid` AS FLOAT64) AS n5
          FROM `clinic`.`visits`
        ) AS `t0`
        WHERE
          `t0`.`c1` IS NOT NULL AND `t0`.`c0` IS NOT NULL
      ) AS `t1`
    ) AS `t2`
    WHERE
      `t2`.`nth_group` < 1 AND `t2`.`nth_row` < 1
  ) AS `t3`
  GROUP BY
    1
) AS `t4`
ORDER BY
  `t4`.`position` ASC NULLS LAST
LIMIT 1000001;
